// Ledgers by the path of their file: where a path becomes a storage, and the only place above
// sqlite/ that knows of it.

#include <filesystem>

#include "ledger/chain/append.h"
#include "ledger/inspect.h"
#include "ledger/sqlite/storage.h"

namespace tacit::ledger {

Result<Done> Ledger::Create(const std::string& path, const OpenOptions& options) {
  TACIT_TRY(const Addition first, FirstAddition(options));
  return SqliteStorage::Create(path, options.vfs, first, OwnerKey(options.key));
}

Result<Ledger> Ledger::Open(const std::string& path, const OpenOptions& options) {
  TACIT_TRY(std::unique_ptr<Storage> storage,
            SqliteStorage::Open(path, {.vfs = options.vfs,
                                       .busy_timeout_ms = options.busy_timeout_ms,
                                       .witness = options.witness}));
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
                            const std::string& key, const std::string& witness, bool new_key) {
  TACIT_TRY(const std::unique_ptr<Storage> storage,
            SqliteStorage::Open(path, {.sharing = SqliteStorage::Sharing::kAlone,
                                       .busy_timeout_ms = 0,
                                       .witness = witness}));
  return AcceptRestored(*storage, reason, key, new_key);
}

Result<Head> ImportRecords(const std::string& path, std::istream& exported,
                           const std::string& reason, const std::string& key_text,
                           const std::string& witness) {
  if (reason.empty() || reason.size() > 1000) {
    return InvalidArgument("importing a ledger needs a reason of at most 1000 bytes");
  }
  const OwnerKey key(key_text);
  const std::string head_path = HeadFile::PathOf(path);
  std::string head_before;
  if (const Result<HeadFile> head_file = HeadFile::Open(head_path); head_file.ok()) {
    if (const Result<Head> head = head_file->Read(key); head.ok()) {
      head_before = std::to_string(head->records) + ":" + head->hash;
    }
  }
  TACIT_TRY(const Addition all, AdditionOfExport(exported, reason, head_before, key_text));
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) std::filesystem::remove(head_path, ignored);
  TACIT_CHECK(SqliteStorage::Create(path, "", all, key));
  const Head head{.records = all.records.back().sequence, .hash = all.records.back().hash};
  TACIT_TRY(const std::unique_ptr<Storage> storage,
            SqliteStorage::Open(path, {.sharing = SqliteStorage::Sharing::kAlone,
                                       .busy_timeout_ms = 0,
                                       .witness = witness}));
  TACIT_CHECK(storage->ReplaceHead(head, key));
  return head;
}

Result<std::optional<int64_t>> FindByHash(const std::string& path, const std::string& hash) {
  std::optional<int64_t> found;
  TACIT_CHECK(ForEachRecord(path, [&](const StoredRecord& record) -> Result<Done> {
    if (record.hash == hash) found = record.sequence;
    return Done{};
  }));
  return found;
}

}  // namespace tacit::ledger
