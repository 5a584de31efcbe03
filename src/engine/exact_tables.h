#pragma once

#include <string>

#include "base/sensitive.h"
#include "engine/exact_groups.h"
#include "engine/result_table.h"
#include "plan/private_plan.h"

namespace tacit::engine {

// What the engine found for a release, before noise: groups, sorted by their keys. Where the plan
// lists the keys there is one for each, whether people match it or not; elsewhere a group exists
// because somebody is in it, and how many there are is as private as their keys. Either way it is
// one Sensitive value from the moment it leaves the adapter, and the mechanism says what is shown.
using ExactRelease = Sensitive<ExactGroups>;

// Puts what an engine found for a release, in whatever order, into that of the keys. Says what is
// wrong with it; empty when nothing is: the noise draws in the order of the keys, once for each.
std::string Arrange(const plan::Release& release, ExactGroups& groups);

}  // namespace tacit::engine
