#pragma once

#include "base/result.h"
#include "plan/compile.h"
#include "policy/policy.h"

namespace tacit::plan {

// One distinct release's part of the price.
struct Share {
  Epsilon epsilon;  // under pure accounting
  Rho rho;          // under zCDP
};

// The price of a whole query, cut into equal shares. Under zCDP epsilon E buys rho = E^2 / 2.
struct Price {
  Epsilon epsilon;
  Delta delta;
  policy::Accounting accounting = policy::Accounting::kPure;

  Share ShareOf(size_t shares) const;
};

// The least that a query may cost: a thousandth of the policy's own price, and never above 0.0001.
// A question for nothing would still cost time, memory and a place in the ledger, without end.
Epsilon LeastPrice(const policy::Privacy& privacy);

// The price that the wish names, or the policy's; refused below the least and above the policy's
// limits.
Result<Price> PriceOf(const Wish& wish, const policy::Privacy& privacy);

}  // namespace tacit::plan
