#pragma once

#include "plan/workload/least_squares.h"

namespace tacit::plan::workload {

// Precisions of tables by keys and by the first digits, none of them to all of them, with which
// every range has at most the wished variance, for little.
Precisions PrecisionsOfRanges(const CellCounts& counts, const std::vector<RangeWish>& wished);

}  // namespace tacit::plan::workload
