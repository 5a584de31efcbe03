#pragma once

#include <utility>
#include <vector>

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// What a subquery equates with the row around it.
struct UnitEqualities {
  bool on_unit = false;
  std::vector<std::pair<Expression, Expression>> others;  // inner, outer
  std::vector<Expression> filters;                        // of the inner rows alone
};

// Whether a condition of the subquery may equate something with the row around it: a cheap test
// that keeps uncorrelated subqueries from being analysed twice.
bool MayBeCorrelated(const sql::Select& select, const std::vector<NamedColumn>& outer);

// The conditions of a subquery over `inner` rows, beside a row of `outer`. Refuses what depends on
// that row otherwise than by equalities that one group of the inner rows meets at most.
Result<UnitEqualities> SplitCorrelation(Known& known, const sql::Select& select,
                                        const ProtectedRows& inner, const ProtectedRows& outer,
                                        const Environment& inside);

}  // namespace tacit::analysis
