// What is in the tables.

#include "ledger/postgres/connection.h"
#include "ledger/postgres/rows.h"

namespace tacit::ledger {
namespace {

// Records may have a megabyte each.
constexpr int64_t kRecordPage = 256;
constexpr int64_t kPage = 2000;

}  // namespace

Result<std::optional<StoredRecord>> PostgresConnection::FindRecord(int64_t sequence) {
  const auto known = [&]() -> std::optional<StoredRecord> {
    const auto found = known_.records.find(sequence);
    return found == known_.records.end() ? std::nullopt : std::optional(found->second);
  };
  if (std::optional<StoredRecord> found = known()) return found;
  if (known_.last && sequence > *known_.last) return std::optional<StoredRecord>();
  TACIT_TRY(const PgRows rows, Ask("several", {WithThoseBefore({sequence})}));
  KeepRecords(rows);
  return known();
}

Result<std::vector<StoredRecord>> PostgresConnection::FindRecords(
    const std::vector<int64_t>& sequences) {
  PgArray array;
  for (const int64_t sequence : sequences) array.Add(sequence);
  TACIT_TRY(const PgRows rows, Ask("several", {array.Take()}));
  std::map<int64_t, StoredRecord> by_sequence;
  for (int row = 0; row < rows.count(); ++row) {
    StoredRecord record = RecordAt(rows, row);
    by_sequence.emplace(record.sequence, std::move(record));
  }
  std::vector<StoredRecord> found;
  for (const int64_t sequence : sequences) {
    const auto record = by_sequence.find(sequence);
    if (record != by_sequence.end()) found.push_back(record->second);
  }
  return found;
}

Result<std::vector<StoredRecord>> PostgresConnection::RecordsAfter(int64_t sequence,
                                                                   int64_t count_max) {
  std::vector<StoredRecord> found;
  for (auto known = known_.records.find(sequence + 1);
       known != known_.records.end() && known->first == sequence + 1 &&
       static_cast<int64_t>(found.size()) < count_max;
       ++known, ++sequence) {
    found.push_back(known->second);
  }
  const int64_t left = count_max - static_cast<int64_t>(found.size());
  if (left == 0 || (known_.last && sequence >= *known_.last)) return found;
  TACIT_TRY(const PgRows rows, Ask("behind", {sequence, left}));
  for (int row = 0; row < rows.count(); ++row) found.push_back(RecordAt(rows, row));
  return found;
}

Result<Done> PostgresConnection::ReadState() {
  QueuePending();
  QueueState();
  TACIT_TRY(const Rows rows, Run());
  size_t next = rows.size() - 3;
  TakeState(rows, next);
  return Done{};
}

Result<std::optional<StoredRecord>> PostgresConnection::LastRecord() {
  if (!known_.last) TACIT_CHECK(ReadState());
  if (*known_.last == 0) return std::optional<StoredRecord>();
  return FindRecord(*known_.last);
}

Result<BookRows> PostgresConnection::ReadBooks() {
  if (!known_.books) TACIT_CHECK(ReadState());
  return *known_.books;
}

Result<std::optional<int64_t>> PostgresConnection::FindRequest(const std::string& analyst,
                                                               const std::string& request_id) {
  const auto known = known_.requests.find({analyst, request_id});
  if (known != known_.requests.end()) return known->second;
  TACIT_TRY(const PgRows rows,
            Ask("requests", {PgArray().Add(analyst).Take(), PgArray().Add(request_id).Take()}));
  return rows.count() == 0 ? std::nullopt : std::optional(rows.Int(0, 2));
}

Result<std::optional<int64_t>> PostgresConnection::FindPayment(const std::string& analyst,
                                                               const ReleaseId& release) {
  TACIT_TRY(const PgRows rows,
            Ask("payment", {analyst, release.sequence, static_cast<int64_t>(release.ordinal)}));
  return FirstIntOf(rows);
}

Result<PayingRecords> PostgresConnection::FindPaying(const std::string& analyst,
                                                     int64_t newest_max) {
  PayingRecords paying;
  TACIT_TRY(const PgRows rows, Ask("paying_count", {analyst}));
  paying.count = FirstIntOf(rows).value_or(0);
  TACIT_TRY(paying.newest, FindPayingAfter(analyst, 0, newest_max));
  return paying;
}

Result<std::vector<int64_t>> PostgresConnection::FindPayingAfter(const std::string& analyst,
                                                                 int64_t after,
                                                                 int64_t newest_max) {
  TACIT_TRY(const PgRows rows, Ask("paying", {analyst, after, newest_max}));
  std::vector<int64_t> newest;
  for (int row = rows.count() - 1; row >= 0; --row) newest.push_back(rows.Int(row, 0));
  return newest;
}

Result<std::vector<ReleaseId>> PostgresConnection::FindAnswers(const AnswerSearch& search,
                                                               int64_t count_max) {
  Question question{std::string(search.fingerprint), search.data_version, std::nullopt};
  if (search.paid_by) std::get<2>(question) = std::string(*search.paid_by);
  const auto known = known_.answers.find(question);
  if (known != known_.answers.end() && count_max == kAnswerCandidatesMax) return known->second;
  QueuePending();
  QueueAnswers({question}, count_max);
  TACIT_TRY(const Rows rows, Run());
  std::vector<ReleaseId> ids;
  for (int row = 0; row < rows.back().count(); ++row) ids.push_back(ReleaseAt(rows.back(), row, 1));
  return ids;
}

Result<std::optional<AnswerBytes>> PostgresConnection::FindAnswer(const ReleaseId& id) {
  TACIT_TRY(const PgRows rows, Ask("answer", {id.sequence, static_cast<int64_t>(id.ordinal)}));
  if (rows.count() == 0) return std::optional<AnswerBytes>();
  return std::optional(
      AnswerBytes{.bytes = rows.Bytes(0, 0), .hash = rows.Text(0, 1), .sealed_by = rows.Int(0, 2)});
}

Result<std::vector<AnswerHash>> PostgresConnection::AnswersSealedBy(int64_t sequence) {
  if (sequence == 0 && known_.unsealed) return *known_.unsealed;
  TACIT_TRY(const PgRows rows, Ask("sealed", {sequence}));
  return AnswerHashesOf(rows);
}

Result<Done> PostgresConnection::ForEachRecord(const Each<StoredRecord>& each) {
  for (int64_t sequence = INT64_MIN;;) {
    TACIT_TRY(const PgRows rows, Ask("behind", {sequence, kRecordPage}));
    for (int row = 0; row < rows.count(); ++row) TACIT_CHECK(each(RecordAt(rows, row)));
    if (rows.count() == 0) return Done{};
    sequence = rows.Int(rows.count() - 1, 0);
  }
}

Result<Done> PostgresConnection::ForEachRequest(const Each<RequestRow>& each) {
  RequestRow last;
  while (true) {
    TACIT_TRY(const PgRows rows, Ask("request_page", {last.analyst, last.id, kPage}));
    for (int row = 0; row < rows.count(); ++row) {
      last = {.analyst = rows.Text(row, 0), .id = rows.Text(row, 1), .sequence = rows.Int(row, 2)};
      TACIT_CHECK(each(last));
    }
    if (rows.count() == 0) return Done{};
  }
}

Result<Done> PostgresConnection::ForEachPayment(const Each<PaymentRow>& each) {
  PaymentRow last{.analyst = "", .release = {}, .sequence = 0};
  int64_t release = INT64_MIN, ordinal = INT64_MIN;
  while (true) {
    TACIT_TRY(const PgRows rows, Ask("payment_page", {last.analyst, release, ordinal, kPage}));
    for (int row = 0; row < rows.count(); ++row) {
      last = {.analyst = rows.Text(row, 0),
              .release = ReleaseAt(rows, row, 1),
              .sequence = rows.Int(row, 3)};
      release = rows.Int(row, 1);
      ordinal = rows.Int(row, 2);
      TACIT_CHECK(each(last));
    }
    if (rows.count() == 0) return Done{};
  }
}

Result<Done> PostgresConnection::ForEachAnswer(const Each<AnswerRow>& each) {
  int64_t sequence = INT64_MIN, ordinal = INT64_MIN;
  while (true) {
    TACIT_TRY(const PgRows rows, Ask("answer_page", {sequence, ordinal, kPage}));
    for (int row = 0; row < rows.count(); ++row) {
      sequence = rows.Int(row, 0);
      ordinal = rows.Int(row, 1);
      TACIT_CHECK(each({.id = ReleaseAt(rows, row, 0),
                        .fingerprint = rows.Text(row, 2),
                        .data_version = rows.Int(row, 3),
                        .sealed_by = rows.Int(row, 4),
                        .hash = rows.Text(row, 5)}));
    }
    if (rows.count() == 0) return Done{};
  }
}

}  // namespace tacit::ledger
