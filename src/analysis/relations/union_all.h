#pragma once

#include "analysis/known.h"
#include "analysis/query/sources.h"
#include "base/result.h"

namespace tacit::analysis {

// UNION ALL of protected rows that carry units of one type: rows per unit add up. union_all.md has
// the claim.
Result<ProtectedRows> UniteRows(Known& known, const ProtectedRows& left, const ProtectedRows& right,
                                sql::Position position);

}  // namespace tacit::analysis
