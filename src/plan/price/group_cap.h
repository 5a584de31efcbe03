#pragma once

#include "analysis/facts.h"
#include "policy/policy.h"

namespace tacit::plan {

// Chooses for each measure whether one of the declared caps on groups and on rows in a group holds
// for it: where noise and what may be cut off are then less together, by what is public. Each
// measure has its own choice, and cuts no other. The groups that private keys show have the cap on
// groups wherever it lowers their threshold. A function of the query and the policy only, the
// policy's own price included and not the question's; group_cap.md has the claim and the reckoning.
void ChooseGroupCaps(analysis::Block& block, const policy::Privacy& privacy);

// How many are taken to be in a group where the policy says nothing about it.
inline constexpr int kAssumedInGroup = 1000;

}  // namespace tacit::plan
