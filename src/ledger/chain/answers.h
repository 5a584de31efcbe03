#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/chain/chain.h"

// Stored answers: the hash of each names the record that paid for it and is signed by the owner's
// key, and the next charge seals all that were stored before it.

namespace tacit::ledger {

// The bytes, checked against the hash that the owner's key gives them; nothing when they were never
// stored. An answer to a record from before the ledger was bound has a plain hash, and a seal.
Result<std::optional<std::string>> LoadAnswer(Chain& chain, const ReleaseId& id,
                                              const std::string& record_hash);

// Keeps `bytes` for a release that the record with this hash has paid for; kInvalidArgument when it
// has not.
Result<Done> KeepAnswer(Chain& chain, const ReleaseId& id, const std::string& record_hash,
                        const std::string& bytes);

// The seal that a record over these answers carries. They are in order.
Seal SealOf(const std::vector<AnswerHash>& answers);
// The seal that record `sequence` must carry.
Result<Seal> ReadSeal(Chain& chain, int64_t sequence);

}  // namespace tacit::ledger
