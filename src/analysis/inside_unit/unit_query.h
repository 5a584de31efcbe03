#pragma once

#include <vector>

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

// Queries that stay inside one person: grouped by the unit, or with windows partitioned by it.
// Their rows still belong to one person each. unit_query.md has the claim.
namespace tacit::analysis {

// The rows of a query inside each person, whose columns are the items, written without stars. The
// keys are resolved, and one of them names the unit; an ungrouped query has none.
Result<ProtectedRows> MakeUnitQuery(Known& known, const ProtectedRows& input,
                                    const std::vector<sql::SelectItem>& items,
                                    const std::vector<Expression>& group_by, bool grouped,
                                    const Environment& environment);

}  // namespace tacit::analysis
