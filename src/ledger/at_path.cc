// Ledgers by the path of their file: where a path becomes a storage, and the only place above
// sqlite/ that knows of it.

#include "ledger/chain/append.h"
#include "ledger/inspect.h"
#include "ledger/sqlite/storage.h"

namespace tacit::ledger {

Result<Done> Ledger::Create(const std::string& path, const OpenOptions& options) {
  TACIT_TRY(const Addition first, FirstAddition(options));
  return SqliteStorage::Create(path, options.vfs, first, OwnerKey(options.key));
}

Result<Ledger> Ledger::Open(const std::string& path, const OpenOptions& options) {
  TACIT_TRY(
      std::unique_ptr<Storage> storage,
      SqliteStorage::Open(path, {.vfs = options.vfs, .busy_timeout_ms = options.busy_timeout_ms}));
  return Open(std::move(storage), options);
}

namespace {

Result<std::unique_ptr<Storage>> OpenToRead(const std::string& path) {
  return SqliteStorage::Open(path, {.sharing = SqliteStorage::Sharing::kReadOnly});
}

}  // namespace

Result<Done> ForEachRecord(const std::string& path,
                           const std::function<Result<Done>(const StoredRecord&)>& each) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(path));
  return ForEachRecord(*storage, each);
}

Result<Done> ForEachChargeOf(
    const std::string& path, const std::string& analyst, int64_t newest_max,
    const std::function<Result<Done>(int64_t number, const StoredRecord&)>& each) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(path));
  return ForEachChargeOf(*storage, analyst, newest_max, each);
}

Result<Verification> Verify(const std::string& path, const std::string& key) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(path));
  return Verify(*storage, key);
}

Result<std::vector<Account>> ReadAccounts(const std::string& path) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(path));
  return ReadAccounts(*storage);
}

Result<Done> CheckDeclarations(const std::string& path, const Declarations& declarations,
                               const std::vector<std::string>& public_tables) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(path));
  return CheckDeclarations(*storage, declarations, public_tables);
}

// Alone: a server beside would go on with the old head.
// proof: ledger/recovery.md#where-sqlite-goes-back-silently-and-how-that-is-noticed
Result<Head> AcceptRestored(const std::string& path, const std::string& reason,
                            const std::string& key) {
  TACIT_TRY(
      const std::unique_ptr<Storage> storage,
      SqliteStorage::Open(path, {.sharing = SqliteStorage::Sharing::kAlone, .busy_timeout_ms = 0}));
  return AcceptRestored(*storage, reason, key);
}

}  // namespace tacit::ledger
