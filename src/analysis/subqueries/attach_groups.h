#pragma once

#include "analysis/subqueries/correlation.h"

namespace tacit::analysis {

// Joins the inner rows, grouped by unit and equated columns, to `input` from the side that may be
// missing: each row meets one group at most. The result names the value of the group, NULL where
// there is none.
Result<Expression> AttachGroups(Known& known, const Rows& inner, const UnitEqualities& equalities,
                                const Expression& value, ProtectedRows& input);

}  // namespace tacit::analysis
