#include "selection/choose.h"

#include <algorithm>
#include <limits>
#include <variant>

#include "accounting/cost.h"
#include "noise/exponential_mechanism/exponential_mechanism.h"
#include "noise/permute_and_flip/permute_and_flip.h"
#include "selection/drawn_index.h"

namespace tacit::selection {
namespace {

using Mechanism = std::variant<noise::PermuteAndFlip, noise::ExponentialMechanism>;

// Numbers that move together differ by no more than one of them moves.
// proof: selection/proof.md#a-choice
Integer SpreadOf(const Scores& scores) {
  return scores.sensitivity * (scores.moves_together ? 1 : 2);
}

// Under zcdp a bounded range of twice the epsilon costs what the price buys: (2 E)^2 / 8 = E^2 / 2.
Result<Mechanism> ChooserOf(const Scores& scores) {
  const Integer spread = SpreadOf(scores);
  if (scores.price.accounting == policy::Accounting::kPure) {
    TACIT_TRY(noise::PermuteAndFlip pure,
              noise::PermuteAndFlip::Make({.spread = spread, .epsilon = scores.price.epsilon}));
    return Mechanism(std::move(pure));
  }
  const Epsilon range(Rational(2 * scores.price.epsilon.value));
  TACIT_TRY(noise::ExponentialMechanism bounded,
            noise::ExponentialMechanism::Make({.spread = spread, .epsilon = range}));
  const std::optional<accounting::ZcdpCost> cost = accounting::ZcdpCostOf(bounded.event());
  TACIT_ASSERT(cost && cost->rho.value <= scores.price.ShareOf(1).rho.value);
  return Mechanism(std::move(bounded));
}

// Cutting moves no two numbers further apart, and keeps the way that they move.
// proof: selection/proof.md#a-choice
int64_t UtilityOf(Int128 number, Wanted wanted) {
  constexpr Int128 kMost = std::numeric_limits<int64_t>::max();
  const Int128 cut = std::min(std::max(number, -kMost), kMost);
  return static_cast<int64_t>(wanted == Wanted::kLargest ? cut : -cut);
}

size_t Drawn(const Mechanism& mechanism, const std::vector<int64_t>& utilities, Entropy& entropy) {
  if (const auto* pure = std::get_if<noise::PermuteAndFlip>(&mechanism)) {
    return pure->Apply(utilities, entropy);
  }
  std::vector<noise::ExponentialMechanism::Candidate> candidates;
  for (const int64_t utility : utilities) candidates.push_back({.utility = utility});
  return std::get<noise::ExponentialMechanism>(mechanism).Apply(candidates, entropy);
}

std::string WhatOf(const ChoicePlan& plan) {
  return plan.wanted == Wanted::kLargest ? "choose the largest" : "choose the smallest";
}

}  // namespace

Result<ChoicePlan> PlanChoice(Scores scores, Wanted wanted) {
  TACIT_TRY(const Mechanism mechanism, ChooserOf(scores));
  ChoicePlan plan{.scores = std::move(scores), .wanted = wanted, .margin = 0, .mechanism = ""};
  const size_t count = plan.scores.scores.size();
  if (const auto* pure = std::get_if<noise::PermuteAndFlip>(&mechanism)) {
    plan.margin = pure->UtilityLossAt95(count);
    plan.mechanism = "permute_and_flip";
  } else {
    plan.margin = std::get<noise::ExponentialMechanism>(mechanism).UtilityLossAt95(
        Integer(static_cast<unsigned long>(count)));
    plan.mechanism = "exponential_mechanism";
  }
  return plan;
}

// proof: selection/proof.md#a-choice
Result<Chosen> Choose(const ChoicePlan& plan, const gateway::Request& asker,
                      gateway::Services& services, const std::function<void(double)>& progress) {
  TACIT_TRY(const Mechanism mechanism, ChooserOf(plan.scores));
  const Draw draw = [&](const std::vector<Int128>& numbers, Entropy& entropy) {
    std::vector<int64_t> utilities;
    for (const Int128 number : numbers) utilities.push_back(UtilityOf(number, plan.wanted));
    return IndexToBytes(Drawn(mechanism, utilities, entropy));
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
