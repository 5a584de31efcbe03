#pragma once

#include "plan/tree/tree.h"

namespace tacit::plan::tree {

// About how much memory it takes, from above: for whoever keeps plans within a bound.
size_t BytesOf(const Exact& exact);
size_t BytesOf(const PublicRows& rows);

}  // namespace tacit::plan::tree
