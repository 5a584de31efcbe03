#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "policy/policy.h"

namespace tacit::plan {

// What was proved about a block, one sentence each, for EXPLAIN: the unit, the caps, the clamps. No
// column is named that the query does not name: it may be hidden.
std::vector<std::string> FactSentences(const analysis::Block& block,
                                       const policy::Privacy& privacy);

// How the levels of GROUPING SETS are made of this block, or what totals it has.
std::vector<std::string> LevelSentences(const analysis::Facts& facts, size_t block);

}  // namespace tacit::plan
