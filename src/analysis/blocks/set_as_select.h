#pragma once

#include <vector>

#include "sql/print/query.h"
#include "sql/tree.h"

namespace tacit::analysis {

// A set operation over released tables as the only relation of a SELECT that gives the same rows in
// the same order, with the same names: what is said of an outermost SELECT (errors beside its
// columns, margins of its rows) then holds for it too. Rows of a UNION ALL are told apart by the
// part that they come from. `columns` are the operation's own. Other queries stay as they are.
sql::Query SetAsSelect(const sql::Query& query, const std::vector<sql::TypedColumn>& columns);

}  // namespace tacit::analysis
