#pragma once

#include <string>
#include <vector>

#include "plan/tree/tree.h"

namespace tacit::plan::tree {

// The tree as people read it, for the owner's EXPLAIN: a line for each node, what it stands on
// indented below it. Names stored columns, hidden ones too.
std::vector<std::string> Words(const Exact& exact);

}  // namespace tacit::plan::tree
