#pragma once

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// A whole query, WITH included: what it gives, or the rule that refuses it. Blocks and public reads
// that it needs go into `known`.
Result<Source> AnalyzeQuery(Known& known, const sql::Query& query, const Environment& outer);

}  // namespace tacit::analysis
