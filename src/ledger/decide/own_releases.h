#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "ledger/chain/chain.h"

// What the asker has paid for before, for whoever makes an answer of it. Inside the caller's
// transaction.

namespace tacit::ledger {

// As Ledger::OwnChargesAfter.
Result<OwnCharges> FindOwnCharges(Chain& chain, const std::string& analyst, int64_t data_version,
                                  int64_t after);

// As Ledger::Recall.
Result<std::optional<Receipt>> RecallReleases(Chain& chain, const Books& books,
                                              const ChargeRequest& request,
                                              const std::vector<ReleaseId>& releases);

}  // namespace tacit::ledger
