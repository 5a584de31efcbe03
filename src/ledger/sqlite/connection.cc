#include "ledger/sqlite/connection.h"

#include "ledger/chain/chain.h"

namespace tacit::ledger {
namespace {

constexpr int64_t kApplicationId = 0x54434c47;  // "TCLG"
constexpr int64_t kFormatVersion = 1;

// Why 1000: 4 MB of log, some two hundred charges, between the two fsyncs of a checkpoint.
constexpr int kLogFramesMax = 1000;

constexpr char kTables[] = R"sql(
CREATE TABLE record (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE TABLE book (analyst TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE declared (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE request (analyst TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (analyst, id)) STRICT, WITHOUT ROWID;
CREATE TABLE payment (analyst TEXT NOT NULL, release_seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (analyst, release_seq, ordinal)) STRICT, WITHOUT ROWID;
CREATE TABLE release (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  fingerprint TEXT NOT NULL, data_version INTEGER NOT NULL, sealed_by INTEGER NOT NULL,
  hash TEXT NOT NULL, UNIQUE (seq, ordinal)) STRICT;
CREATE TABLE answer (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE INDEX release_by_question ON release (fingerprint, data_version, seq, ordinal);
CREATE INDEX release_by_seal ON release (sealed_by);
CREATE INDEX payment_by_record ON payment (analyst, seq);
)sql";

}  // namespace

Result<Done> SqliteConnection::MakeTables() {
  TACIT_CHECK(database_->Execute(kTables));
  const std::string marks = "PRAGMA application_id = " + std::to_string(kApplicationId) +
                            "; PRAGMA user_version = " + std::to_string(kFormatVersion);
  return database_->Execute(marks.c_str());
}

Result<Done> SqliteConnection::CheckFormat() {
  TACIT_TRY(const int64_t application, database_->QueryInt("PRAGMA application_id"));
  if (application != kApplicationId) return Damaged("the file is not a ledger of Tacit");
  TACIT_TRY(const int64_t version, database_->QueryInt("PRAGMA user_version"));
  if (version == kFormatVersion) return Done{};
  Error error = Damaged("");
  error.public_message = "the ledger has format " + std::to_string(version) +
                         ", this program knows format " + std::to_string(kFormatVersion);
  error.hint = "use the version of Tacit that wrote it, or a later one";
  return error;
}

// The mark of the format, which is there already: its page is written like those of a charge.
Result<Done> SqliteConnection::WriteMark() {
  const std::string mark = "PRAGMA user_version = " + std::to_string(kFormatVersion);
  return database_->Execute(mark.c_str());
}

// proof: ledger/recovery.md#what-sqlite-promises-and-what-is-built-on-it
Result<Done> SqliteConnection::Begin(Access access) {
  // One that could not be given up when it failed is given up now, or nothing goes on.
  if (!database_->RollBack()) return database_->Failure(SQLITE_NOMEM, "read or written");
  half_written_ = false;
  if (access != Access::kRead) TACIT_CHECK(database_->WaitForDisk(access == Access::kWrite));
  return database_->Run(access == Access::kRead ? "BEGIN" : "BEGIN IMMEDIATE");
}

// proof: ledger/recovery.md#what-sqlite-promises-and-what-is-built-on-it
Result<Done> SqliteConnection::Commit() {
  if (half_written_) return database_->Failure(SQLITE_ABORT, "read or written");
  return database_->Run("COMMIT");
}

void SqliteConnection::RollBack() noexcept {
  // A failed commit has rolled itself back. A rollback that fails is tried again by the next Begin;
  // nothing was promised.
  (void)database_->RollBack();
}

// After these codes nobody knows what the file holds, and a second fsync may report success for
// what the first one lost.
// proof: ledger/recovery.md#after-a-failed-write
bool SqliteConnection::MustStop() const {
  const int kind = database_->last_failure() & 0xff;
  return kind == SQLITE_IOERR || kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
}

Result<std::string> SqliteConnection::FindFault() {
  TACIT_TRY(SqliteStatement check, database_->Prepare("PRAGMA integrity_check(1)"));
  TACIT_TRY(const bool row, check.Step());
  return std::string(row && check.Text(0) == "ok" ? "" : "the file's pages are damaged");
}

Result<int64_t> SqliteConnection::Version() { return database_->QueryInt("PRAGMA data_version"); }

Result<Done> SqliteConnection::TidyUp(bool somebody_waits) {
  return database_->CheckpointBeyond(somebody_waits ? 4 * kLogFramesMax : kLogFramesMax);
}

}  // namespace tacit::ledger
