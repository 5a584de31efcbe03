// The owner goes on with a ledger that Open refuses.

#include "ledger/chain/append.h"
#include "ledger/inspect.h"
#include "ledger/inspect/verify.h"

namespace tacit::ledger {
namespace {

Error CannotAccept(const std::string& why, const std::string& hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "this ledger cannot be accepted: " + why,
               .hint = hint,
               .position = std::nullopt,
               .private_detail = ""};
}

std::string HeadText(Storage& storage, const OwnerKey& key) {
  const Result<Head> head = storage.RecallHead(key);
  return head.ok() ? std::to_string(head->records) + ":" + head->hash : "";
}

// A new record of `act`, posted.
template <class Act>
Result<Done> Add(Act act, PostedRecords& posted) {
  Record record{.sequence = 0, .time = TimeText(nullptr), .state = "", .act = std::move(act)};
  TACIT_CHECK(PostNext(record, posted.books));
  posted.records.push_back(std::move(record));
  return Done{};
}

}  // namespace

Result<Head> AcceptRestored(Storage& storage, const std::string& reason,
                            const std::string& key_text, bool new_key) {
  if (reason.empty() || reason.size() > 1000) {
    return InvalidArgument("accepting a restored ledger needs a reason of at most 1000 bytes");
  }
  const OwnerKey key(key_text);
  TACIT_TRY(const std::unique_ptr<Chain> chain, Chain::Connect(storage, key));
  TACIT_TRY(Transaction transaction, Transaction::Begin(*chain, Transaction::Access::kWrite));
  // Before the answers are checked, which another deployment's key has signed.
  const Result<CheckedBooks> readable = LoadBooks(*chain);
  const bool unbound = readable.ok() && readable->books->deployment.empty() && !key.empty();
  const bool rekeyed = new_key && readable.ok() && !unbound && !key.empty() &&
                       readable->books->deployment != key.deployment_id();
  if (new_key && !rekeyed) {
    return CannotAccept("its key is the one that is here", "leave --new-key out");
  }
  if (readable.ok() && !unbound && !rekeyed) TACIT_CHECK(CheckOwner(*chain));
  TACIT_TRY(const Verification whole, VerifyAll(*chain, rekeyed));
  if (!whole.fault.empty()) return CannotAccept(whole.fault, "restore a copy that verifies");
  TACIT_TRY(const CheckedBooks before, LoadBooks(*chain));

  PostedRecords posted{.records = {}, .books = *before.books};
  // What an unbound ledger remembers was signed by nobody.
  const OwnerKey signed_by = unbound ? OwnerKey() : key;
  TACIT_CHECK(
      Add(RestoreAct{.reason = reason, .head_before = HeadText(storage, signed_by)}, posted));
  std::vector<AnswerHash> unsealed;
  if (unbound) {
    TACIT_CHECK(Add(BindAct{.deployment = key.deployment_id(), .seal = {}}, posted));
  } else if (rekeyed) {
    TACIT_CHECK(Add(RekeyAct{.deployment = key.deployment_id(), .seal = {}}, posted));
  }
  if (unbound || rekeyed) {
    TACIT_TRY(unsealed, chain->rows->AnswersSealedBy(0));
  }
  TACIT_TRY(ChainedAddition addition, ChainTo(before, std::move(posted), unsealed));
  TACIT_TRY(const CheckedBooks after, Append(*chain, std::move(addition)));
  TACIT_CHECK(transaction.Commit());
  const Head head{.records = after.books->sequence, .hash = after.head_hash};
  TACIT_CHECK(storage.ReplaceHead(head, key));
  return head;
}

}  // namespace tacit::ledger
