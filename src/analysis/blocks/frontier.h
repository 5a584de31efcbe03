#pragma once

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// The frontier: a grouped query over protected rows becomes a block, and what the query makes of
// its aggregates becomes the query over the released table that is returned.
Result<sql::Query> AnalyzeFrontier(Known& known, const sql::QueryNode& node,
                                   const sql::Select& select, const ProtectedRows& input,
                                   const Environment& environment);

}  // namespace tacit::analysis
