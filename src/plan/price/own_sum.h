#pragma once

#include "analysis/facts.h"
#include "policy/policy.h"

namespace tacit::plan {

// Limits what one unit adds to a sum of a column with a declared `sum_per_unit`, wherever that
// needs less noise than the caps that were chosen for it, which it then replaces. A function of the
// query and the policy only; own_sum.md has the claim.
void LimitOwnSums(analysis::Block& block, const policy::Privacy& privacy);

}  // namespace tacit::plan
