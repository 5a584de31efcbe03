#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/chain/chain.h"

namespace tacit::ledger {

// A stored answer that serves a wish, and whether the analyst has to pay for it first.
struct StoredAnswer {
  PaidRelease release;
  std::string bytes;
  bool analyst_pays = false;
  int64_t paid_by = 0;  // the record that paid for it: the analyst's own if there is one
};

// The stored answer for `wish` that was made from exactly `made_from`: one the analyst may have for
// nothing before one to pay for, then the finest (or, as the request says, the coarsest), then the
// oldest.
//
// An analyst who has not paid for it gets it only where a new one would be the same bargain: at
// exactly the price and the precision asked. So the analyst's budget bounds what the analyst
// learned, and nothing but the value tells whether somebody asked before.
Result<std::optional<StoredAnswer>> FindStoredAnswer(Chain& chain, const ChargeRequest& request,
                                                     const ReleaseWish& wish,
                                                     const std::vector<ReleaseId>& made_from);

// The analyst's own record of paying for a release, taken from the chain: the table alone proves
// nothing.
Result<std::optional<int64_t>> PaidBefore(Chain& chain, const std::string& analyst,
                                          const ReleaseId& id);

}  // namespace tacit::ledger
