#pragma once

#include <optional>

#include "analysis/known.h"
#include "analysis/query/environment.h"
#include "base/result.h"

namespace tacit::analysis {

// A grouped SELECT over `input` whose keys name the unit, SELECT DISTINCT included: it stays inside
// each person. Nothing where they do not, and the query has to become a block.
Result<std::optional<ProtectedRows>> TryUnitGroups(Known& known, const sql::QueryNode& node,
                                                   const sql::Select& select,
                                                   const ProtectedRows& input,
                                                   const Environment& environment);

}  // namespace tacit::analysis
