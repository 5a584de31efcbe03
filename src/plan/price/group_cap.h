#pragma once

#include <optional>

#include "analysis/facts.h"
#include "policy/policy.h"

namespace tacit::plan {

// The caps on groups and on rows in a group, where some number of the block then needs less noise
// than under the row cap alone (no number can need more). Nothing where there are no groups, or
// where nothing is gained. A function of the query and the policy only; group_cap.md has the claim.
std::optional<analysis::GroupCap> ChooseGroupCap(const analysis::Block& block,
                                                 const policy::Privacy& privacy);

}  // namespace tacit::plan
