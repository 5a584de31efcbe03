#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// The levels of GROUPING SETS as the query sees them: the released integers are added up for each
// level, and finished then, so that an average of a total is that of all its people. `from` is the
// released table. DuckDB.
std::string LevelsSql(const analysis::LevelTable& levels, const analysis::Block& block,
                      const std::vector<Measure>& measures, const std::string& from);

// How many released numbers are added up for one row of these levels, at most.
Integer SummedAtMost(const analysis::LevelTable& levels, const analysis::Block& block);

}  // namespace tacit::plan
