#pragma once

#include <vector>

#include "analysis/known.h"
#include "base/result.h"

// What has a rule inside one person's rows. Anything exact may be computed there, if it does not
// depend on the order of rows; unit_query.md has the claim.
namespace tacit::analysis {

// Refuses an item of a query that is grouped by `keys` if it shows another column, or an aggregate
// without a rule.
Result<Done> CheckGrouped(const Known& known, const Expression& item,
                          const std::vector<Expression>& keys);

// Refuses windows that are not partitioned by the unit of `rows`, nested ones, and functions
// without a rule.
Result<Done> CheckWindows(const Known& known, const Expression& item, const Rows& rows);

}  // namespace tacit::analysis
