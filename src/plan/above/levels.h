#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/facts.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// What to read a block's released numbers from: its table, or the same with more noise.
using ReleasedFrom = std::function<std::string(size_t block)>;

// The levels of GROUPING SETS as the query sees them: the released integers are added up for each
// level, and finished then, so that an average of a total is that of all its people. Where totals
// were released by themselves, the groups are moved first so that they add up to them. DuckDB.
std::string LevelsSql(const analysis::LevelTable& levels,
                      const std::vector<analysis::Block>& blocks, const analysis::Block& block,
                      const std::vector<Measure>& measures, const ReleasedFrom& from);

}  // namespace tacit::plan
