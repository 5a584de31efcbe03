#pragma once

#include "analysis/expressions/infer.h"
#include "analysis/query/environment.h"

namespace tacit::analysis {

// Like ResolveOverRows, but with aggregates and windows left standing around resolved operands.
Result<Expression> ResolveInsideUnit(Known& known, const Expression& expression,
                                     const ProtectedRows& input, const Environment& environment);

// The type of a resolved item over one person's rows, and where its values lie as far as that
// follows from how many rows one person has.
Result<Inferred> InferInsideUnit(const Known& known, const Expression& item, const Rows& rows);

}  // namespace tacit::analysis
