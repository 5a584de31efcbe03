#pragma once

#include <vector>

#include "analysis/known.h"

namespace tacit::analysis {

// Adds the block in its normal form, or finds an equal one and pays for nothing twice: the same
// question, however it is written, is the same block, also across queries. The released columns'
// names and the table's name go into the expressions of `post`. Returns the block's index.
size_t AddBlock(Known& known, Block block, const std::vector<Expression*>& post);

}  // namespace tacit::analysis
