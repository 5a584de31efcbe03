#pragma once

#include "analysis/expressions/check_use.h"
#include "analysis/query/environment.h"

namespace tacit::analysis {

// The expression with names replaced by what they mean over the scans, and subqueries by constants;
// checked for the place where it stands. Aggregates and windows are refused.
Result<Expression> ResolveOverRows(Known& known, const Expression& expression,
                                   const ProtectedRows& input, const Environment& environment,
                                   Use use);

}  // namespace tacit::analysis
