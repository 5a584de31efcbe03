#pragma once

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

// The first rows of each unit: row_number() = 1, and DISTINCT ON with the unit. unit_query.md has
// the claim.
namespace tacit::analysis {

// Lowers the rows per unit where filters keep the first numbers of a row_number() only.
void NarrowByRowNumber(const Known& known, Rows& rows);

// SELECT DISTINCT ON (unit, ...): the first row of each unit (and of each value of the others).
Result<ProtectedRows> FirstOfUnit(Known& known, const sql::QueryNode& node,
                                  const sql::Select& select, const ProtectedRows& input,
                                  const Environment& environment);

}  // namespace tacit::analysis
