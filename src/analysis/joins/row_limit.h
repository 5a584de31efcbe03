#pragma once

#include "analysis/known.h"
#include "base/result.h"

namespace tacit::analysis {

// One person's rows must not become so many that their number shows in time, memory or a failure.
// `before`: the most that one of the joined parts had.
Result<Done> CheckRowsOfOneUnit(const Known& known, const Rows& joined, const Integer& before,
                                sql::Position position);

}  // namespace tacit::analysis
