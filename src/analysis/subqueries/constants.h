#pragma once

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

// A subquery below the frontier reads releases and public tables only, so its value is known before
// the protected rows are read: it becomes a constant, tacit_constant.vN.
namespace tacit::analysis {

// A scalar subquery, EXISTS or IN as an expression over constants. Names that WITH declares go with
// it; a name of the row around it is refused.
Result<Expression> ConstantOf(Known& known, const Expression& subquery,
                              const Environment& environment);

// The query with the names of WITH that it uses, and the type of its one column.
Result<Constant> CloseQuery(const Known& known, const sql::Query& query,
                            const Environment& environment, sql::Position position);

// The one value of a rewritten query.
Result<Expression> AddConstant(Known& known, const sql::Query& query,
                               const Environment& environment, sql::Position position);

}  // namespace tacit::analysis
