#pragma once

#include <vector>

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

// Expressions above the frontier: subqueries are analysed and rewritten, everything else stays as
// it is.
namespace tacit::analysis {

Result<Expression> RewritePublic(Known& known, const Expression& expression,
                                 const Environment& environment);
Result<Done> RewritePublicOrder(Known& known, std::vector<sql::OrderItem>& items,
                                const Environment& environment);

// A subquery that reads releases and public tables, rewritten; refused if it gives protected rows.
Result<sql::Query> AnalyzeSubquery(Known& known, const sql::Query& query, sql::Position position,
                                   const Environment& environment);

}  // namespace tacit::analysis
