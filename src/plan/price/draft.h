#pragma once

#include <vector>

#include "analysis/facts.h"
#include "plan/price/price.h"
#include "plan/price/selection.h"
#include "plan/private_plan.h"

namespace tacit::plan {

// A block on its way to a release: how its groups are shown is settled, the noise is not yet.
struct Draft {
  analysis::Block block;
  SelectionChoice choice;
  Integer summed = 1;  // how many of its numbers are added up for one that is shown, at most
};

// All blocks, free ones included (they take no share).
std::vector<Draft> MakeDrafts(const analysis::Facts& facts, const policy::Privacy& privacy);

// How many distinct releases share the price.
size_t SharesOf(const std::vector<Draft>& drafts);

// The noise of every draft at a price.
struct PricedBlock {
  std::vector<Measure> measures;
  GroupSelection selection;
};
Result<std::vector<PricedBlock>> PriceDrafts(const std::vector<Draft>& drafts,
                                             const policy::Privacy& privacy, const Price& price);

// error_target.cc: the smallest price, within a thousandth, whose noise stays within `error` in
// every released column; refused when the policy's epsilon_max does not buy it.
Result<Price> PriceForError(const std::vector<Draft>& drafts, const policy::Privacy& privacy,
                            const Price& asked, const Rational& error);

}  // namespace tacit::plan
