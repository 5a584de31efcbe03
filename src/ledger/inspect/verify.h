#pragma once

#include "ledger/chain/chain.h"
#include "ledger/inspect.h"

namespace tacit::ledger {

// Recomputes all of it in the caller's transaction (inspect.h).
Result<Verification> VerifyAll(Chain& chain);

}  // namespace tacit::ledger
