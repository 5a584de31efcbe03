#pragma once

#include "analysis/joins/conditions.h"

namespace tacit::analysis {

// Two protected sides, joined on the unit and no other way.
Result<ProtectedRows> JoinRows(Known& known, const WrittenJoin& written, ProtectedRows left,
                               ProtectedRows right);

}  // namespace tacit::analysis
