#pragma once

#include "analysis/joins/conditions.h"

namespace tacit::analysis {

// Joins two items of FROM of which one at least is protected. joins.md has the claims: through an
// equality of units rows per unit multiply; a public table joined on an equality meets each row at
// most once; VALUES meet each as often as equal ones are written (relations/literals.md).
Result<FromItem> JoinItems(Known& known, const WrittenJoin& written, FromItem left, FromItem right);

}  // namespace tacit::analysis
