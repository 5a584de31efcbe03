#pragma once

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// EXISTS, IN and scalar subqueries over rows of the same unit become columns of `input`; what is
// none of these stays as it is. The subquery is grouped by the unit, which leaves one row of each
// person at most, and joined from the side that may be missing. unit_subquery.md has the claim.
Result<sql::Select> AttachUnitSubqueries(Known& known, const sql::Select& select,
                                         ProtectedRows& input, const Environment& environment);

}  // namespace tacit::analysis
