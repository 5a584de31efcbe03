#pragma once

#include <string>

#include "plan/tree/tree.h"

namespace tacit::plan::tree {

// What breaks the first wall or the second (../unit_cap.md) in a tree, wherever it came from; empty
// when nothing does. Makers make no such tree; this is for what rewrites one:
//
//   joins of people equate units that both sides carry, inside each person every window is
//   partitioned by the unit and what is grouped is grouped by it, parts of a union carry the
//   union's unit, scans with units are capped, rows of other shapes than scans and their joins are
//   capped again, and caps go by the unit that their rows carry.
std::string BrokenWall(const ExactNode& exact);

}  // namespace tacit::plan::tree
