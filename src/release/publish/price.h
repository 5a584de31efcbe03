#pragma once

#include <optional>

#include "plan/private_plan.h"
#include "policy/policy.h"

namespace tacit::release {

// The guarantee that a whole release is asked to have, and what that is in rho: the noise inside is
// composed by zCDP, whatever the policy's accounting.
struct ReleasePrice {
  Epsilon epsilon;
  Delta delta;
  Rho rho;          // (epsilon, delta) follows from it, rounded down
  Delta showing;    // of delta, what showing values of open columns takes; 0 where there are none
  plan::Cost cost;  // for the ledger: (epsilon, delta) under pure, rho under zcdp
};

// The policy's price unless named; refused where the policy refuses it for a query, and without a
// delta, for which Gaussian noise has no price.
// Where values of open columns are shown, half of delta is for that.
Result<ReleasePrice> PriceOf(const std::optional<Epsilon>& epsilon,
                             const std::optional<Delta>& delta, const policy::Privacy& privacy,
                             bool shows_values = false);

}  // namespace tacit::release
