#pragma once

#include "ledger/chain/chain.h"
#include "ledger/inspect.h"

namespace tacit::ledger {

// Recomputes all of it in the caller's transaction (inspect.h).
// `new_key`: the chain has a key that signed none of the answers.
Result<Verification> VerifyAll(Chain& chain, bool new_key = false);

}  // namespace tacit::ledger
