#pragma once

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// One SELECT. Over public items it stays SQL; over protected rows it is a block, a query inside
// each person, or a projection of the rows.
Result<Source> AnalyzeSelect(Known& known, const sql::QueryNode& node, const sql::Select& written,
                             const Environment& environment);

// Its items of FROM, joined if one of them is protected.
Result<From> AnalyzeFrom(Known& known, const sql::Select& select, const Environment& environment);

}  // namespace tacit::analysis
