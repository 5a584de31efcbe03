#pragma once

#include <vector>

#include "engine/packed_rows.h"
#include "plan/private_plan.h"

namespace tacit::answer {

// The rows with zero in the place of what is below it, in the columns of which the asker wished it:
// numbers whose truth is never below zero, and the ends of their intervals. A function of released
// numbers, so it costs nothing; and no number is further from its truth than before, nor is a truth
// outside an interval that held it.
engine::PackedRows NoneBelowZero(const std::vector<plan::OutputColumn>& columns,
                                 engine::PackedRows rows);

}  // namespace tacit::answer
