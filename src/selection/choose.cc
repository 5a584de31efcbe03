#include "selection/choose.h"

#include <algorithm>
#include <limits>

#include "plan/price/chooser.h"
#include "selection/drawn_index.h"

namespace tacit::selection {
namespace {

// Numbers that move together differ by no more than one of them moves.
// proof: selection/proof.md#a-choice
Integer SpreadOf(const Scores& scores) {
  return scores.sensitivity * (scores.moves_together ? 1 : 2);
}

Result<plan::Chooser> ChooserOf(const Scores& scores) {
  return plan::Chooser::Make(SpreadOf(scores), scores.price);
}

// Cutting moves no two numbers further apart, and keeps the way that they move.
// proof: selection/proof.md#a-choice
int64_t UtilityOf(Int128 number, Wanted wanted) {
  constexpr Int128 kMost = std::numeric_limits<int64_t>::max();
  const Int128 cut = std::min(std::max(number, -kMost), kMost);
  return static_cast<int64_t>(wanted == Wanted::kLargest ? cut : -cut);
}

std::string WhatOf(const ChoicePlan& plan) {
  return plan.wanted == Wanted::kLargest ? "choose the largest" : "choose the smallest";
}

}  // namespace

Result<ChoicePlan> PlanChoice(Scores scores, Wanted wanted) {
  TACIT_TRY(const plan::Chooser chooser, ChooserOf(scores));
  ChoicePlan plan{.scores = std::move(scores), .wanted = wanted, .margin = 0, .mechanism = ""};
  plan.margin = chooser.UtilityLossAt95(plan.scores.scores.size());
  plan.mechanism = chooser.Name();
  return plan;
}

// proof: selection/proof.md#a-choice
Result<Chosen> Choose(const ChoicePlan& plan, const gateway::Request& asker,
                      gateway::Services& services, const std::function<void(double)>& progress) {
  TACIT_TRY(const plan::Chooser chooser, ChooserOf(plan.scores));
  const Draw draw = [&](const std::vector<Int128>& numbers, Entropy& entropy) {
    std::vector<int64_t> utilities;
    for (const Int128 number : numbers) utilities.push_back(UtilityOf(number, plan.wanted));
    return IndexToBytes(chooser.Apply(utilities, entropy));
  };
  SelectionRelease release(plan.scores, asker, WhatOf(plan), draw, progress, services);
  TACIT_TRY(SelectionRelease::Answer answer, release.CarryOut());
  TACIT_TRY(const std::optional<size_t> index,
            IndexFromBytes(answer.drawn, plan.scores.scores.size()));
  if (!index) return CannotReadDrawn();
  return Chosen{.index = *index, .receipt = std::move(answer.receipt)};
}

Result<ledger::Receipt> QuoteChoice(const ChoicePlan& plan, const gateway::Request& asker,
                                    gateway::Services& services) {
  SelectionRelease release(plan.scores, asker, WhatOf(plan), {}, {}, services);
  return release.Quote();
}

}  // namespace tacit::selection
