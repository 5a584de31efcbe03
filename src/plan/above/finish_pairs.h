#pragma once

#include <string>
#include <vector>

#include "analysis/facts.h"
#include "plan/above/finish.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// covar_*, corr and regr_* of released moments, in DuckDB's SQL: a number within what mathematics
// allows, or NULL where PostgreSQL has NULL. analysis/aggregates/moments/pairs.md has the formulas.
std::string PrintPair(const analysis::PairColumn& pair, const analysis::Block& block);

// For kPeopleForMeans people; of what depends on how the columns are spread, for columns spread
// evenly over their bounds.
ErrorEstimate PairError(const analysis::PairColumn& pair, const analysis::Block& block,
                        const std::vector<Measure>& measures);

}  // namespace tacit::plan
