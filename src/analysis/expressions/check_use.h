#pragma once

#include "analysis/known.h"
#include "base/result.h"

namespace tacit::analysis {

// Where an expression over protected rows stands: decides what it may use.
enum class Use { kFilter, kKey, kArgument, kUnitCount, kProjection };

// Refuses what cannot stand there: hidden columns but in projections and bare in count(DISTINCT
// ...), the unit in a key, columns of types without rules, a filter that is no condition.
Result<Done> CheckUse(const Known& known, const Expression& expression, Use use);

// Refuses any hidden column, for what shows by the number of rows that it leaves.
Result<Done> CheckNotHidden(const Known& known, const Expression& expression);

}  // namespace tacit::analysis
