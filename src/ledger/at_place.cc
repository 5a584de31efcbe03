// Ledgers by their place: where a place becomes a storage, and the only source above sqlite/ and
// postgres/ that knows of them.

#include <filesystem>

#include "ledger/chain/append.h"
#include "ledger/inspect.h"
#include "ledger/postgres/storage.h"
#include "ledger/postgres/tables.h"
#include "ledger/sqlite/storage.h"

namespace tacit::ledger {
namespace {

enum class Use { kShare, kRead, kAlone };

// Where nobody else may have it open, nobody is waited for.
Result<std::unique_ptr<Storage>> OpenStorage(const Place& place, Use use,
                                             const OpenOptions& options = {}) {
  const int busy_timeout_ms = use == Use::kAlone && !place.server ? 0 : options.busy_timeout_ms;
  if (place.server) {
    using Sharing = PostgresConnection::Sharing;
    const Sharing sharing = use == Use::kShare  ? Sharing::kShared
                            : use == Use::kRead ? Sharing::kReadOnly
                                                : Sharing::kAlone;
    return std::unique_ptr<Storage>(std::make_unique<PostgresStorage>(
        place, PostgresStorage::Options{.sharing = sharing, .busy_timeout_ms = busy_timeout_ms}));
  }
  using Sharing = SqliteStorage::Sharing;
  return SqliteStorage::Open(
      place.path, {.sharing = use == Use::kShare  ? Sharing::kShared
                              : use == Use::kRead ? Sharing::kReadOnly
                                                  : Sharing::kAlone,
                   .vfs = options.vfs,
                   .busy_timeout_ms = busy_timeout_ms,
                   .witness = options.witness.empty() ? place.witness : options.witness});
}

Result<std::unique_ptr<Storage>> OpenToRead(const Place& place) {
  return OpenStorage(place, Use::kRead);
}

}  // namespace

Result<Done> Ledger::Create(const Place& place, const OpenOptions& options) {
  TACIT_TRY(const Addition first, FirstAddition(options));
  const OwnerKey key(options.key);
  if (place.server) return PostgresStorage::Create(place, first, key);
  return SqliteStorage::Create(place.path, options.vfs, first, key);
}

Result<Ledger> Ledger::Open(const Place& place, const OpenOptions& options) {
  TACIT_TRY(std::unique_ptr<Storage> storage, OpenStorage(place, Use::kShare, options));
  return Open(std::move(storage), options);
}

Result<Done> ForEachRecord(const Place& place,
                           const std::function<Result<Done>(const StoredRecord&)>& each) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(place));
  return ForEachRecord(*storage, each);
}

Result<Done> ForEachChargeOf(
    const Place& place, const std::string& analyst, int64_t newest_max,
    const std::function<Result<Done>(int64_t number, const StoredRecord&)>& each) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(place));
  return ForEachChargeOf(*storage, analyst, newest_max, each);
}

Result<Verification> Verify(const Place& place, const std::string& key) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(place));
  return Verify(*storage, key);
}

Result<std::vector<Account>> ReadAccounts(const Place& place) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(place));
  return ReadAccounts(*storage);
}

Result<Done> CheckDeclarations(const Place& place, const Declarations& declarations,
                               const std::vector<std::string>& public_tables) {
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenToRead(place));
  return CheckDeclarations(*storage, declarations, public_tables);
}

// Alone: a server beside would go on with the old head.
// proof: ledger/recovery.md#where-sqlite-goes-back-silently-and-how-that-is-noticed
Result<Head> AcceptRestored(const Place& place, const std::string& reason, const std::string& key,
                            const std::string& witness, bool new_key) {
  Place remembered = place;
  if (!witness.empty()) remembered.witness = witness;
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenStorage(remembered, Use::kAlone));
  return AcceptRestored(*storage, reason, key, new_key);
}

Result<Head> ImportRecords(const Place& place, std::istream& exported, const std::string& reason,
                           const std::string& key_text, const std::string& witness) {
  if (reason.empty() || reason.size() > 1000) {
    return InvalidArgument("importing a ledger needs a reason of at most 1000 bytes");
  }
  Place remembered = place;
  if (!witness.empty()) remembered.witness = witness;
  const OwnerKey key(key_text);
  const std::string head_path = HeadFile::PathOf(place.path);
  std::string head_before;
  if (const Result<HeadFile> head_file = HeadFile::Open(head_path); head_file.ok()) {
    if (const Result<Head> head = head_file->Read(key); head.ok()) {
      head_before = std::to_string(head->records) + ":" + head->hash;
    }
  }
  TACIT_TRY(const Addition all, AdditionOfExport(exported, reason, head_before, key_text));
  if (place.server) {
    TACIT_CHECK(PostgresStorage::Create(place, all, key, PostgresStorage::HeadHere::kReplaced));
  } else {
    std::error_code ignored;
    if (!std::filesystem::exists(place.path, ignored)) {
      std::filesystem::remove(head_path, ignored);
    }
    TACIT_CHECK(SqliteStorage::Create(place.path, "", all, key));
  }
  const Head head{.records = all.records.back().sequence, .hash = all.records.back().hash};
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenStorage(remembered, Use::kAlone));
  TACIT_CHECK(storage->ReplaceHead(head, key));
  return head;
}

Result<Head> Join(const Place& place, const Head& head, const std::string& key_text) {
  if (!place.server) {
    return InvalidArgument("a ledger in a file has one gateway, which has its head already",
                           "several gateways share a ledger in PostgreSQL: docs/deploying.md");
  }
  TACIT_TRY(const Verification whole, Verify(place, key_text));
  if (!whole.fault.empty()) {
    Error error =
        InvalidArgument("the ledger does not verify: " + whole.fault,
                        "restore a copy that verifies, and see: tacit ledger accept --help");
    error.code = ErrorCode::kUnavailable;
    return error;
  }
  TACIT_TRY(const std::optional<int64_t> found, FindByHash(place, head.hash));
  if (!found || *found != head.records) {
    Error error = InvalidArgument(
        "the ledger has no such record: it is another one, or older than the gateway that named it",
        "give what tacit ledger head prints on a gateway that is in use");
    error.code = ErrorCode::kUnavailable;
    return error;
  }
  const Head now{.records = whole.records, .hash = whole.head};
  TACIT_TRY(const std::unique_ptr<Storage> storage, OpenStorage(place, Use::kShare));
  TACIT_CHECK(storage->ReplaceHead(now, OwnerKey(key_text)));
  return now;
}

std::string SqlToCreate(const Place& place, const std::string& role) {
  TACIT_ASSERT(place.server.has_value());
  const std::string& schema = place.server->schema;
  return SqlOfTables(schema) + "\n-- Once the role is there (CREATE ROLE " + role + " LOGIN):\n" +
         SqlOfGrants(schema, role);
}

Result<std::optional<int64_t>> FindByHash(const Place& place, const std::string& hash) {
  std::optional<int64_t> found;
  TACIT_CHECK(ForEachRecord(place, [&](const StoredRecord& record) -> Result<Done> {
    if (record.hash == hash) found = record.sequence;
    return Done{};
  }));
  return found;
}

}  // namespace tacit::ledger
