// The side tables: stored answers, who paid for them, and request ids.

#include "ledger/sqlite/tables.h"

namespace tacit::ledger {
namespace {

// Why 64: a question is asked again at a few prices, not at hundreds; the newest are looked at.
constexpr int64_t kCandidatesMax = 64;

Result<std::optional<int64_t>> FirstInt(Statement& query) {
  TACIT_TRY(const bool found, query.Step());
  return found ? std::optional(query.Int(0)) : std::nullopt;
}

Result<std::vector<ReleaseId>> AllIds(Statement& query) {
  std::vector<ReleaseId> ids;
  while (true) {
    TACIT_TRY(const bool row, query.Step());
    if (!row) return ids;
    ids.push_back({.sequence = query.Int(0), .ordinal = static_cast<size_t>(query.Int(1))});
  }
}

}  // namespace

Result<std::optional<int64_t>> FindRequest(Database& database, const std::string& analyst,
                                           const std::string& request_id) {
  TACIT_TRY(Statement query,
            database.Prepare("SELECT seq FROM request WHERE analyst = ? AND id = ?"));
  query.Bind(analyst).Bind(request_id);
  return FirstInt(query);
}

Result<Done> SaveRequest(Database& database, const std::string& analyst,
                         const std::string& request_id, int64_t sequence) {
  TACIT_TRY(Statement insert,
            database.Prepare("INSERT INTO request (analyst, id, seq) VALUES (?, ?, ?)"));
  return insert.Bind(analyst).Bind(request_id).Bind(sequence).Execute();
}

Result<std::optional<int64_t>> FindPayment(Database& database, const std::string& analyst,
                                           const ReleaseId& id) {
  TACIT_TRY(Statement query,
            database.Prepare("SELECT seq FROM payment WHERE analyst = ? AND release_seq = ? AND "
                             "ordinal = ?"));
  query.Bind(analyst).Bind(id.sequence).Bind(static_cast<int64_t>(id.ordinal));
  return FirstInt(query);
}

Result<Done> SavePayment(Database& database, const std::string& analyst, const ReleaseId& id,
                         int64_t sequence) {
  TACIT_TRY(Statement insert,
            database.Prepare("INSERT INTO payment (analyst, release_seq, ordinal, seq) "
                             "VALUES (?, ?, ?, ?)"));
  insert.Bind(analyst).Bind(id.sequence).Bind(static_cast<int64_t>(id.ordinal)).Bind(sequence);
  return insert.Execute();
}

Result<std::vector<ReleaseId>> FindReleases(Database& database, const std::string& fingerprint,
                                            int64_t data_version) {
  TACIT_TRY(Statement query,
            database.Prepare("SELECT seq, ordinal FROM release WHERE fingerprint = ? AND "
                             "data_version = ? ORDER BY seq DESC, ordinal LIMIT ?"));
  query.Bind(fingerprint).Bind(data_version).Bind(kCandidatesMax);
  return AllIds(query);
}

Result<std::vector<ReleaseId>> FindPaidReleases(Database& database, const std::string& analyst,
                                                const std::string& fingerprint,
                                                int64_t data_version) {
  // CROSS JOIN: by question first, and not by all that the analyst ever paid for.
  TACIT_TRY(Statement query,
            database.Prepare("SELECT r.seq, r.ordinal FROM release r CROSS JOIN payment p WHERE "
                             "r.fingerprint = ? AND r.data_version = ? AND p.analyst = ? AND "
                             "p.release_seq = r.seq AND p.ordinal = r.ordinal "
                             "ORDER BY r.seq DESC, r.ordinal LIMIT ?"));
  query.Bind(fingerprint).Bind(data_version).Bind(analyst).Bind(kCandidatesMax);
  return AllIds(query);
}

namespace {

// Whether an answer's plain hash is enough: it was sealed while the ledger was nobody's, and the
// chain vouches for the seal.
Result<bool> IsSealedUnsigned(Database& database, int64_t sealed_by) {
  TACIT_TRY(const CheckedBooks checked, LoadBooks(database));
  if (checked.books->deployment.empty()) return true;
  if (sealed_by <= kFirstSequence || sealed_by > checked.books->bound_at) return false;
  TACIT_TRY(const ChainedRecord sealing, LoadRecord(database, sealed_by));
  TACIT_TRY(const Seal found, ReadSeal(database, sealed_by));
  const ChargeAct* charge = std::get_if<ChargeAct>(&sealing.record->act);
  const BindAct* bind = std::get_if<BindAct>(&sealing.record->act);
  if (charge == nullptr && bind == nullptr) return false;
  const Seal& recorded = charge != nullptr ? charge->seal : bind->seal;
  return found.count == recorded.count && found.hash == recorded.hash;
}

}  // namespace

Result<std::optional<std::string>> LoadRelease(Database& database, const ReleaseId& id,
                                               const std::string& record_hash) {
  TACIT_TRY(Statement query,
            database.Prepare("SELECT hash, bytes, sealed_by FROM release JOIN answer USING (id) "
                             "WHERE seq = ? AND ordinal = ?"));
  TACIT_TRY(const bool found,
            query.Bind(id.sequence).Bind(static_cast<int64_t>(id.ordinal)).Step());
  if (!found) return std::optional<std::string>();
  std::string bytes = query.Text(1);
  const std::string hash = query.Text(0);
  bool fits = database.key().AnswerHash(record_hash, id.ordinal, bytes) == hash;
  if (!fits && !database.key().empty() && ReleaseHash(record_hash, id.ordinal, bytes) == hash) {
    TACIT_TRY(fits, IsSealedUnsigned(database, query.Int(2)));
  }
  if (!fits) {
    return Damaged("stored answer " + ToString(id) + " does not fit its hash");
  }
  return std::optional(std::move(bytes));
}

Result<Done> SaveRelease(Database& database, const ReleaseId& id, const std::string& fingerprint,
                         int64_t data_version, const std::string& bytes, const std::string& hash) {
  TACIT_TRY(Statement insert,
            database.Prepare("INSERT INTO release (seq, ordinal, fingerprint, data_version, "
                             "sealed_by, hash) VALUES (?, ?, ?, ?, 0, ?)"));
  insert.Bind(id.sequence).Bind(static_cast<int64_t>(id.ordinal)).Bind(fingerprint);
  TACIT_CHECK(insert.Bind(data_version).Bind(hash).Execute());
  // In a table of their own: sealing must not write large answers again.
  TACIT_TRY(Statement answer, database.Prepare("INSERT INTO answer (id, bytes) "
                                               "VALUES (last_insert_rowid(), ?)"));
  return answer.BindBlob(bytes).Execute();
}

Result<Seal> ReadSeal(Database& database, int64_t sequence) {
  TACIT_TRY(Statement query, database.Prepare("SELECT seq, ordinal, hash FROM release WHERE "
                                              "sealed_by = ? ORDER BY seq, ordinal"));
  query.Bind(sequence);
  Seal seal;
  std::string lines;
  while (true) {
    TACIT_TRY(const bool row, query.Step());
    if (!row) break;
    const ReleaseId id{.sequence = query.Int(0), .ordinal = static_cast<size_t>(query.Int(1))};
    lines += ToString(id) + " " + query.Text(2) + "\n";
    ++seal.count;
  }
  seal.hash = Sha256(lines);
  return seal;
}

Result<Seal> SealReleases(Database& database, int64_t sequence) {
  TACIT_TRY(Statement update,
            database.Prepare("UPDATE release SET sealed_by = ? WHERE sealed_by = 0"));
  TACIT_CHECK(update.Bind(sequence).Execute());
  return ReadSeal(database, sequence);
}

}  // namespace tacit::ledger
