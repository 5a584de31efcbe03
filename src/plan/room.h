#pragma once

#include <optional>

#include "analysis/facts.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// What the block can take. Nothing where a table that is read has no rows_max. docs/threat_model.md
// says what is assumed of the length of texts.
std::optional<Room> RoomOf(const analysis::Block& block);

}  // namespace tacit::plan
