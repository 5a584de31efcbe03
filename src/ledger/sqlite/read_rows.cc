// What is in the tables.

#include <algorithm>

#include "ledger/sqlite/connection.h"

namespace tacit::ledger {
namespace {

Result<std::optional<int64_t>> FirstInt(SqliteStatement& query) {
  TACIT_TRY(const bool found, query.Step());
  return found ? std::optional(query.Int(0)) : std::nullopt;
}

ReleaseId IdAt(const SqliteStatement& query, int column) {
  return {.sequence = query.Int(column), .ordinal = static_cast<size_t>(query.Int(column + 1))};
}

// Calls `each` for every row.
template <class ReadRow>
Result<Done> ForEachRow(SqliteStatement& query, const ReadRow& each) {
  while (true) {
    TACIT_TRY(const bool row, query.Step());
    if (!row) return Done{};
    TACIT_CHECK(each());
  }
}

}  // namespace

Result<std::optional<StoredRecord>> SqliteConnection::FindRecord(int64_t sequence) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT body, hash FROM record WHERE seq = ?"));
  TACIT_TRY(const bool found, query.Bind(sequence).Step());
  if (!found) return std::optional<StoredRecord>();
  return std::optional(
      StoredRecord{.sequence = sequence, .body = query.Text(0), .hash = query.Text(1)});
}

Result<std::optional<StoredRecord>> SqliteConnection::LastRecord() {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT seq, body, hash FROM record ORDER BY seq DESC LIMIT 1"));
  TACIT_TRY(const bool found, query.Step());
  if (!found) return std::optional<StoredRecord>();
  return std::optional(
      StoredRecord{.sequence = query.Int(0), .body = query.Text(1), .hash = query.Text(2)});
}

// Both tables are stored in the order of their names.
Result<BookRows> SqliteConnection::ReadBooks() {
  BookRows rows;
  const auto read = [&](const char* sql, std::vector<NamedText>& into) -> Result<Done> {
    TACIT_TRY(SqliteStatement query, database_->Prepare(sql));
    return ForEachRow(query, [&]() -> Result<Done> {
      into.emplace_back(query.Text(0), query.Text(1));
      return Done{};
    });
  };
  TACIT_CHECK(read("SELECT name, text FROM declared", rows.declared));
  TACIT_CHECK(read("SELECT analyst, entry FROM book", rows.accounts));
  return rows;
}

Result<std::optional<int64_t>> SqliteConnection::FindRequest(const std::string& analyst,
                                                             const std::string& request_id) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT seq FROM request WHERE analyst = ? AND id = ?"));
  query.Bind(analyst).Bind(request_id);
  return FirstInt(query);
}

Result<std::optional<int64_t>> SqliteConnection::FindPayment(const std::string& analyst,
                                                             const ReleaseId& release) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT seq FROM payment WHERE analyst = ? AND release_seq = ? AND "
                               "ordinal = ?"));
  query.Bind(analyst).Bind(release.sequence).Bind(static_cast<int64_t>(release.ordinal));
  return FirstInt(query);
}

Result<PayingRecords> SqliteConnection::FindPaying(const std::string& analyst, int64_t newest_max) {
  PayingRecords paying;
  TACIT_TRY(SqliteStatement count,
            database_->Prepare("SELECT count(DISTINCT seq) FROM payment WHERE analyst = ?"));
  TACIT_TRY(const std::optional<int64_t> all, FirstInt(count.Bind(analyst)));
  paying.count = all.value_or(0);
  TACIT_TRY(paying.newest, FindPayingAfter(analyst, 0, newest_max));
  return paying;
}

Result<std::vector<int64_t>> SqliteConnection::FindPayingAfter(const std::string& analyst,
                                                               int64_t after, int64_t newest_max) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT DISTINCT seq FROM payment WHERE analyst = ? AND seq > ? "
                               "ORDER BY seq DESC LIMIT ?"));
  query.Bind(analyst).Bind(after).Bind(newest_max);
  std::vector<int64_t> newest;
  TACIT_CHECK(ForEachRow(query, [&]() -> Result<Done> {
    newest.push_back(query.Int(0));
    return Done{};
  }));
  std::reverse(newest.begin(), newest.end());
  return newest;
}

Result<std::vector<ReleaseId>> SqliteConnection::FindAnswers(const AnswerSearch& search,
                                                             int64_t count_max) {
  // CROSS JOIN: by question first, and not by all that the analyst ever paid for.
  TACIT_TRY(
      SqliteStatement query,
      database_->Prepare(search.paid_by
                             ? "SELECT r.seq, r.ordinal FROM release r CROSS JOIN payment p WHERE "
                               "r.fingerprint = ? AND r.data_version = ? AND p.analyst = ? AND "
                               "p.release_seq = r.seq AND p.ordinal = r.ordinal "
                               "ORDER BY r.seq DESC, r.ordinal LIMIT ?"
                             : "SELECT seq, ordinal FROM release WHERE fingerprint = ? AND "
                               "data_version = ? ORDER BY seq DESC, ordinal LIMIT ?"));
  query.Bind(search.fingerprint).Bind(search.data_version);
  if (search.paid_by) query.Bind(*search.paid_by);
  query.Bind(count_max);
  std::vector<ReleaseId> ids;
  TACIT_CHECK(ForEachRow(query, [&]() -> Result<Done> {
    ids.push_back(IdAt(query, 0));
    return Done{};
  }));
  return ids;
}

Result<std::optional<AnswerBytes>> SqliteConnection::FindAnswer(const ReleaseId& id) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT bytes, hash, sealed_by FROM release JOIN answer USING (id) "
                               "WHERE seq = ? AND ordinal = ?"));
  TACIT_TRY(const bool found,
            query.Bind(id.sequence).Bind(static_cast<int64_t>(id.ordinal)).Step());
  if (!found) return std::optional<AnswerBytes>();
  return std::optional(
      AnswerBytes{.bytes = query.Text(0), .hash = query.Text(1), .sealed_by = query.Int(2)});
}

Result<std::vector<AnswerHash>> SqliteConnection::AnswersSealedBy(int64_t sequence) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT seq, ordinal, hash FROM release WHERE "
                               "sealed_by = ? ORDER BY seq, ordinal"));
  query.Bind(sequence);
  std::vector<AnswerHash> answers;
  TACIT_CHECK(ForEachRow(query, [&]() -> Result<Done> {
    answers.push_back({.id = IdAt(query, 0), .hash = query.Text(2)});
    return Done{};
  }));
  return answers;
}

Result<Done> SqliteConnection::ForEachRecord(const Each<StoredRecord>& each) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT seq, body, hash FROM record ORDER BY seq"));
  return ForEachRow(query, [&] {
    return each({.sequence = query.Int(0), .body = query.Text(1), .hash = query.Text(2)});
  });
}

Result<Done> SqliteConnection::ForEachRequest(const Each<RequestRow>& each) {
  TACIT_TRY(SqliteStatement query, database_->Prepare("SELECT analyst, id, seq FROM request"));
  return ForEachRow(query, [&] {
    return each({.analyst = query.Text(0), .id = query.Text(1), .sequence = query.Int(2)});
  });
}

Result<Done> SqliteConnection::ForEachPayment(const Each<PaymentRow>& each) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT analyst, release_seq, ordinal, seq FROM payment"));
  return ForEachRow(query, [&] {
    return each({.analyst = query.Text(0), .release = IdAt(query, 1), .sequence = query.Int(3)});
  });
}

Result<Done> SqliteConnection::ForEachAnswer(const Each<AnswerRow>& each) {
  TACIT_TRY(SqliteStatement query,
            database_->Prepare("SELECT seq, ordinal, fingerprint, data_version, sealed_by, hash "
                               "FROM release ORDER BY seq, ordinal"));
  return ForEachRow(query, [&] {
    return each({.id = IdAt(query, 0),
                 .fingerprint = query.Text(2),
                 .data_version = query.Int(3),
                 .sealed_by = query.Int(4),
                 .hash = query.Text(5)});
  });
}

}  // namespace tacit::ledger
