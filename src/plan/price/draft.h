#pragma once

#include <optional>
#include <vector>

#include "analysis/facts.h"
#include "plan/price/price.h"
#include "plan/price/selection.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// A block on its way to a release: how its groups are shown is settled, the noise is not yet. Where
// the answer has margins, every quantile has the ends of its interval behind it, as measures of
// their own.
struct Draft {
  analysis::Block block;
  SelectionChoice choice;
  // The variance of a number that is shown, in those of one of its own, at most: how many are added
  // up for it, where nothing else helps.
  Integer summed = 1;
};

// All blocks, free ones included (they take no share).
std::vector<Draft> MakeDrafts(const analysis::Facts& facts, const policy::Privacy& privacy);

// How many distinct releases share the price. A quantile and the ends of its interval are one: the
// ends have a quarter of its share each.
size_t SharesOf(const std::vector<Draft>& drafts);

// The noise of every draft at a price.
struct PricedBlock {
  std::vector<Measure> measures;
  GroupSelection selection;
};
Result<std::vector<PricedBlock>> PriceDrafts(const std::vector<Draft>& drafts,
                                             const policy::Privacy& privacy, const Price& price);

// The index of an end of the interval around a quantile, where the block has one.
std::optional<size_t> EndOf(size_t quantile, analysis::QuantilePart part,
                            const analysis::Block& block);

}  // namespace tacit::plan
