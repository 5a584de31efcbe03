#pragma once

#include <string>
#include <vector>

#include "plan/private_plan.h"

namespace tacit::golden {

// What golden tests pin down of a plan, one line each: columns, keys, measures with mechanism,
// sensitivity and price, how groups are shown, the cost, notices. Never SQL text, never noise.
std::vector<std::string> DescribePlan(const plan::PrivatePlan& plan);

}  // namespace tacit::golden
