#pragma once

#include <vector>

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// An item of FROM: a stored table, a name of WITH, a query in parentheses, or a join of those.
// `where` is the enclosing query's condition: what it equates may make an inner join lawful.
Result<FromItem> AnalyzeRelation(Known& known, const sql::Relation& relation,
                                 const Environment& environment,
                                 const std::vector<Expression>& where);

}  // namespace tacit::analysis
