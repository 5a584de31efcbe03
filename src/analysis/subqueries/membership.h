#pragma once

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// x IN (SELECT ...) over protected rows, where the subquery reads releases and public tables only:
// its values are known before the rows are read. They become one text, 'a|b|c', and one truth value
// that says whether NULL was among them. The operand is resolved. membership.md has the meaning.
Result<Expression> MembershipOf(Known& known, const sql::InQuery& in,
                                const Environment& environment, sql::Position position);

// The same of a query that is rewritten already; both are resolved.
Result<Expression> MembershipIn(Known& known, const Expression& among, const sql::Query& inner,
                                const Environment& environment, sql::Position position);

}  // namespace tacit::analysis
