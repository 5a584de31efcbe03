#include "ledger/sqlite/storage.h"

#include "base/secrets/file_guard.h"
#include "ledger/sqlite/connection.h"

namespace tacit::ledger {
namespace {

Error NotThisFile(std::string message, std::string hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

Result<std::unique_ptr<Storage>> SqliteStorage::Open(const std::string& path,
                                                     const Options& options) {
  TACIT_TRY(const FileIdentity identity, CheckFile(path));
  return std::unique_ptr<Storage>(new SqliteStorage(path, options, identity));
}

// A connection to an existing ledger of this format, whose log is guarded like the file.
Result<std::unique_ptr<StorageConnection>> SqliteStorage::Connect() {
  TACIT_CHECK(CheckFile(path_));
  for (const char* end : {"-wal", "-shm"}) {
    TACIT_CHECK(
        CheckGuard({.name = "the ledger's log", .path = path_ + end, .has_one_name = true}));
  }
  // A ledger on a read-only medium is still readable when its -shm can be made.
  const bool reads = options_.sharing == Sharing::kReadOnly;
  TACIT_TRY(
      std::unique_ptr<SqliteDatabase> database,
      SqliteDatabase::Open(path_, {.flags = reads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE,
                                   .vfs = options_.vfs,
                                   .busy_timeout_ms = options_.busy_timeout_ms,
                                   .alone = options_.sharing == Sharing::kAlone}));
  auto connection = std::make_unique<SqliteConnection>(std::move(database));
  TACIT_CHECK(connection->CheckFormat());
  TACIT_TRY(SqliteStatement mode, connection->database().Prepare("PRAGMA journal_mode"));
  TACIT_TRY(const bool row, mode.Step());
  if (!row || mode.Text(0) != "wal") {
    return NotThisFile("the ledger " + path_ + " is not in write-ahead mode",
                       "another program changed it; run: tacit ledger verify");
  }
  return std::unique_ptr<StorageConnection>(std::move(connection));
}

// Charges written to a file that was renamed or deleted would be lost with it.
Result<Done> SqliteStorage::CheckPlace() {
  TACIT_TRY(const FileIdentity now, CheckFile(path_));
  if (now != identity_) {
    return NotThisFile("another file took the place of the ledger " + path_,
                       "start the program again; it checks the file that is there now");
  }
  return heads_.CheckPlace();
}

}  // namespace tacit::ledger
