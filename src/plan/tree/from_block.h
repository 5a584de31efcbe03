#pragma once

#include "base/result.h"
#include "plan/tree/tree.h"

namespace tacit::plan::tree {

// What the block needs of protected rows: columns k1..., `units` if wished, m1...; one row a group,
// in any order. Where all keys are public every one of them has a row.
Result<Exact> FromBlock(const analysis::Block& block, bool with_people);

// The public keys of a block alone. Reads no protected row.
Result<AllKeys> KeysOf(const analysis::Block& block);

}  // namespace tacit::plan::tree
