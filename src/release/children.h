#pragma once

#include "release/synthesize.h"

namespace tacit::release {

// Parents that were made, as their children see them.
struct MadeParents {
  std::vector<std::vector<uint16_t>> codes;  // by column, of the columns' own cells
  std::vector<size_t> children;              // how many each has
};

// How rho is shared out for so many columns, of which the first `of_parent` are the parent's.
Shares SharesOfChildren(size_t columns, size_t of_parent);

// Rows of children for made parents, in the parents' order. `exact` has the children's rows with
// their parent's columns first; what is measured is what children's columns have to do with each
// other and with their parent's. Only the children's columns are returned, and none of their rows
// is one of `impossible`, sets of their columns' own cells: a parent whose child cannot be any
// other has one less. rho-zCDP for the rho given (proof.md).
SyntheticTable SynthesizeChildren(const Joint& exact, const std::vector<ColumnShape>& columns,
                                  const std::vector<Impossible>& impossible, const Moved& moved,
                                  const Rho& rho, size_t threads, MadeParents& parents,
                                  Entropy& entropy, const Progress& progress);

}  // namespace tacit::release
