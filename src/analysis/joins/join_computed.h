#pragma once

#include <optional>

#include "analysis/joins/conditions.h"

namespace tacit::analysis {

// Protected rows joined with a table that was computed from releases: its one row, whose values are
// then constants; or its keys, which a row of people meets at most once. Nothing for a table of
// another form, or a FULL join. `rows_first`: the protected side was written first. joins.md has
// the claim.
Result<std::optional<ProtectedRows>> JoinComputed(Known& known, const WrittenJoin& written,
                                                  const ProtectedRows& rows, const PublicItem& item,
                                                  bool rows_first);

}  // namespace tacit::analysis
