#pragma once

#include <vector>

#include "analysis/known.h"
#include "base/result.h"
#include "sql/bind/bind.h"

namespace tacit::analysis {

struct Inferred {
  sql::Type type;
  sql::Range range;
};

// The resolved expression with its types settled. Whatever has no rule is refused by name.
Result<sql::Bound> BindOverRows(const Known& known, const Expression& expression);

// The resolved expression with the constants of its comparisons spelled in one way. What is not of
// rows, such as a released value, stays as it is.
Expression WithOneSpelling(const Known& known, const Expression& expression);

// The type of a resolved expression, and where its values lie when `filters` hold.
Result<Inferred> Infer(const Known& known, const Expression& expression,
                       const std::vector<Expression>& filters = {});

}  // namespace tacit::analysis
