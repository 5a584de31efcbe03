#pragma once

#include <functional>

#include "sql/tree.h"

namespace tacit::sql {

// Rebuilds a query with every expression of it changed, in subqueries, WITH and FROM too: `change`
// gets each node with its operands already changed. What it writes keeps its place: an output
// column keeps its name, and an item of GROUP BY or ORDER BY that becomes a number is that
// constant, not the column of that number.
Query ChangeExpressions(const Query& query,
                        const std::function<Expression(const Expression&)>& change);

}  // namespace tacit::sql
