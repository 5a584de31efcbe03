#pragma once

#include "release/synthesize.h"

namespace tacit::release {

// Parents that were made, as their children see them.
struct MadeParents {
  std::vector<std::vector<uint16_t>> codes;  // by column, of the columns' own cells
  std::vector<size_t> children;              // how many each has
};

// Rows of children for made parents, in the parents' order. `exact` has the children's rows with
// their parent's columns first; what is measured is what children's columns have to do with each
// other and with their parent's. Only the children's columns are returned. rho-zCDP for the rho
// given (proof.md).
SyntheticTable SynthesizeChildren(const Joint& exact, const std::vector<ColumnShape>& columns,
                                  const MadeParents& parents, const Moved& moved, const Rho& rho,
                                  Entropy& entropy, const Progress& progress);

}  // namespace tacit::release
