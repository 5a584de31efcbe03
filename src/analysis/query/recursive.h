#pragma once

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// Why 1,000: hierarchies and series end long before, and a query that never ends does so here.
inline constexpr int kRecursionStepsMax = 1'000;

// A name of WITH RECURSIVE that names itself, over public tables and results only: the tables that
// stand for it go into `environment`. It goes on for kRecursionStepsMax steps at most, counted by a
// column that only the first of the two tables has.
Result<Done> DeclareRecursive(Known& known, const sql::CommonTable& written,
                              Environment& environment);

}  // namespace tacit::analysis
