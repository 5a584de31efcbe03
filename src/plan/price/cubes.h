#pragma once

#include <map>

#include "analysis/facts.h"
#include "noise/column_mechanism.h"
#include "plan/price/price.h"
#include "plan/price/selection.h"

namespace tacit::plan {

// Under pure accounting: which measures of a block are drawn together, each with its mechanism, at
// a share of the price for each of them. Counts and sums over the same rows of a unit are, where
// that has less error; not the measure that shows groups, whose threshold needs a noise of its own.
// proof: noise/cube/proof.md#privacy
std::map<size_t, noise::AnyMechanism> CubesOf(const analysis::Block& block,
                                              const SelectionChoice& choice,
                                              const policy::Privacy& privacy, const Share& share);

}  // namespace tacit::plan
