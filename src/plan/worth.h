#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// What an answer can be worth at its price, where that is easily overestimated: numbers of distinct
// values and extremes, one sentence each. From query, policy and price alone, so that EXPLAIN says
// it before the charge.
std::vector<std::string> WorthNotices(const analysis::Block& block,
                                      const std::vector<Measure>& measures);

}  // namespace tacit::plan
