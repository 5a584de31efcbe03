#include "ledger/chain/answers.h"

#include "base/secrets/digest.h"
#include "ledger/chain/checked_books.h"

namespace tacit::ledger {
namespace {

// Whether an answer's plain hash is enough: it was sealed while the ledger was nobody's, and the
// chain vouches for the seal.
Result<bool> IsSealedUnsigned(Chain& chain, int64_t sealed_by) {
  TACIT_TRY(const CheckedBooks checked, LoadBooks(chain));
  if (checked.books->deployment.empty()) return true;
  if (sealed_by <= kFirstSequence || sealed_by > checked.books->bound_at) return false;
  TACIT_TRY(const ChainedRecord sealing, LoadRecord(chain, sealed_by));
  TACIT_TRY(const Seal found, ReadSeal(chain, sealed_by));
  const ChargeAct* charge = std::get_if<ChargeAct>(&sealing.record->act);
  const BindAct* bind = std::get_if<BindAct>(&sealing.record->act);
  if (charge == nullptr && bind == nullptr) return false;
  return found == (charge != nullptr ? charge->seal : bind->seal);
}

}  // namespace

Result<std::optional<std::string>> LoadAnswer(Chain& chain, const ReleaseId& id,
                                              const std::string& record_hash) {
  TACIT_TRY(std::optional<AnswerBytes> stored, chain.rows->FindAnswer(id));
  if (!stored) return std::optional<std::string>();
  const std::string& hash = stored->hash;
  bool fits = chain.key.AnswerHash(record_hash, id.ordinal, stored->bytes) == hash;
  if (!fits && !chain.key.empty() && ReleaseHash(record_hash, id.ordinal, stored->bytes) == hash) {
    TACIT_TRY(fits, IsSealedUnsigned(chain, stored->sealed_by));
  }
  if (!fits) {
    return Damaged("stored answer " + ToString(id) + " does not fit its hash");
  }
  return std::optional(std::move(stored->bytes));
}

Result<Done> KeepAnswer(Chain& chain, const ReleaseId& id, const std::string& record_hash,
                        const std::string& bytes) {
  TACIT_TRY(const ChainedRecord paid, LoadRecord(chain, id.sequence));
  const ChargeAct* charge = std::get_if<ChargeAct>(&paid.record->act);
  if (charge == nullptr || id.ordinal >= charge->releases.size() ||
      charge->releases[id.ordinal].id != id || paid.hash != record_hash) {
    return InvalidArgument("the receipt did not pay for release " + ToString(id));
  }
  return chain.rows->SaveAnswer({.id = id,
                                 .fingerprint = charge->releases[id.ordinal].fingerprint,
                                 .data_version = charge->data_version,
                                 .sealed_by = 0,
                                 .hash = chain.key.AnswerHash(paid.hash, id.ordinal, bytes)},
                                bytes);
}

Seal SealOf(const std::vector<AnswerHash>& answers) {
  std::string lines;
  for (const AnswerHash& answer : answers) lines += ToString(answer.id) + " " + answer.hash + "\n";
  return {.count = static_cast<int64_t>(answers.size()), .hash = Sha256Hex(lines)};
}

Result<Seal> ReadSeal(Chain& chain, int64_t sequence) {
  TACIT_TRY(const std::vector<AnswerHash> sealed, chain.rows->AnswersSealedBy(sequence));
  return SealOf(sealed);
}

}  // namespace tacit::ledger
