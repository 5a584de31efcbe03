#pragma once

#include "gateway/services.h"

namespace tacit::gateway {

// What the ledger has to know of a plan: who asks, under which policy, and the price of each
// release. kInvalidArgument for an analyst whom the policy does not name.
Result<ledger::ChargeRequest> ChargeRequestOf(const Request& request, const plan::PrivatePlan& plan,
                                              const policy::Policy& policy);

// Whether a stored answer serves that was bought at a higher price.
bool IsFinerThanAsked(const ledger::Receipt& receipt, const ledger::ChargeRequest& asked);

}  // namespace tacit::gateway
