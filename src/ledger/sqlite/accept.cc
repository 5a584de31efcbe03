// The owner goes on with a ledger that Open refuses.

#include <unistd.h>

#include "ledger/inspect.h"
#include "ledger/sqlite/files.h"
#include "ledger/sqlite/tables.h"

namespace tacit::ledger {
namespace {

Error CannotAccept(const std::string& why, const std::string& hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "this ledger cannot be accepted: " + why,
               .hint = hint,
               .position = std::nullopt,
               .private_detail = ""};
}

std::string HeadText(const std::string& head_path, const OwnerKey& key) {
  const Result<HeadFile> known = HeadFile::Open(head_path, key);
  if (!known.ok()) return "";
  const Result<Head> head = known->Read();
  return head.ok() ? std::to_string(head->records) + ":" + head->hash : "";
}

// The ledger's last record and the books after it, as records are added in one transaction.
struct Addition {
  Database& database;
  Books books;
  std::string hash;

  template <class Act>
  Result<Done> Append(Act act) {
    Record record{
        .sequence = books.sequence + 1, .time = TimeText({}), .state = "", .act = std::move(act)};
    const Books before = books;
    TACIT_CHECK(Post(record, books));
    record.state = HashOf(books);
    TACIT_TRY(hash, AppendRecord(database, record, hash));
    return SaveBooks(database, before, books, record.state);
  }
};

}  // namespace

Result<Head> AcceptRestored(const std::string& path, const std::string& reason,
                            const std::string& key_text) {
  if (reason.empty() || reason.size() > 1000) {
    return InvalidArgument("accepting a restored ledger needs a reason of at most 1000 bytes");
  }
  const OwnerKey key(key_text);
  Database::Options how;
  how.key = key;
  how.alone = true;  // a server beside would go on with the old head
  how.busy_timeout_ms = 0;
  TACIT_TRY(const std::unique_ptr<Database> database, Connect(path, how));
  TACIT_TRY(Transaction transaction, Transaction::Begin(*database, Transaction::Kind::kWrite));
  // Before the answers are checked, which another deployment's key has signed.
  const Result<CheckedBooks> readable = LoadBooks(*database);
  const bool unbound = readable.ok() && readable->books->deployment.empty() && !key.empty();
  if (readable.ok() && !unbound) TACIT_CHECK(CheckOwner(*database));
  TACIT_TRY(const Verification whole, VerifyAll(*database));
  if (!whole.fault.empty()) return CannotAccept(whole.fault, "restore a copy that verifies");
  TACIT_TRY(const CheckedBooks checked, LoadBooks(*database));

  const std::string head_path = HeadFile::PathOf(path);
  Addition addition{.database = *database, .books = *checked.books, .hash = checked.head_hash};
  // What an unbound ledger remembers was signed by nobody.
  const OwnerKey signed_by = unbound ? OwnerKey() : key;
  TACIT_CHECK(
      addition.Append(RestoreAct{.reason = reason, .head_before = HeadText(head_path, signed_by)}));
  if (unbound) {
    TACIT_TRY(const Seal seal, SealReleases(*database, addition.books.sequence + 1));
    TACIT_CHECK(addition.Append(BindAct{.deployment = key.deployment_id(), .seal = seal}));
  }
  TACIT_CHECK(transaction.Commit());
  const Head head{.records = addition.books.sequence, .hash = addition.hash};
  unlink(head_path.c_str());
  TACIT_CHECK(HeadFile::Create(head_path, head, key));
  return head;
}

}  // namespace tacit::ledger
