#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sql/tree.h"

namespace tacit::sql {

// Rebuilds a query with every expression of it changed, in subqueries, WITH and FROM too: `change`
// gets each node with its operands already changed. What it writes keeps its place: an output
// column keeps its name, and an item of GROUP BY or ORDER BY that becomes a number is that
// constant, not the column of that number.
Query ChangeExpressions(const Query& query,
                        const std::function<Expression(const Expression&)>& change);

// The same; then `table` may give another query for each one that FROM or WITH names, with the
// names of its columns: those that are given, perhaps fewer than it has. `recursive` is the table
// of WITH that it is, where that names itself; else null.
using ChangeTable =
    std::function<void(Query& query, std::vector<std::string>& columns, CommonTable* recursive)>;
Query ChangeExpressions(const Query& query,
                        const std::function<Expression(const Expression&)>& change,
                        const ChangeTable& table);

}  // namespace tacit::sql
