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

// The price that the wish names, or the policy's; refused above the policy's limits.
Result<Price> PriceOf(const Wish& wish, const policy::Privacy& privacy);

}  // namespace tacit::plan
