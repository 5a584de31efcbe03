#pragma once

#include <functional>

#include "sql/tree.h"

namespace tacit::sql {

// A table of WITH RECURSIVE that begins with literals and goes on from each row by itself: its rows
// are in the query's text, and it becomes VALUES of them. Anything else, and what does not come to
// an end soon, stays as it is. `fold` makes a literal of an expression of literals, where it knows
// how.
void WriteOutRecursion(CommonTable& table,
                       const std::function<Expression(const Expression&)>& fold);

}  // namespace tacit::sql
