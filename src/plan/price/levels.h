#pragma once

#include "analysis/facts.h"
#include "policy/policy.h"

// The levels of GROUPING SETS, ROLLUP and CUBE: sums of one release by all keys, or also moved by
// totals that are released by themselves, whichever has less error at the price. What is compared
// is public: lengths of lists, caps, the number of releases that share the price. levels.md has the
// claims and the proofs.
namespace tacit::plan {

// The facts with the blocks of those totals, each behind the block whose groups it adds up.
analysis::Facts WithOwnLevels(const analysis::Facts& facts, const policy::Privacy& privacy);

// The largest variance of a number of these levels, in those of one number of the release by all
// keys; rounded up. `block` is the draft's, with its cap.
Integer LargestVariance(const analysis::LevelTable& levels,
                        const std::vector<analysis::Block>& blocks, const analysis::Block& block,
                        const policy::Privacy& privacy);

}  // namespace tacit::plan
