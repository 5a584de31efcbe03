#include "selection/watch.h"

#include "noise/above_threshold/above_threshold.h"
#include "selection/drawn_index.h"

namespace tacit::selection {
namespace {

Result<noise::AboveThreshold> WatcherOf(const Scores& scores) {
  return noise::AboveThreshold::Make({.sensitivity = scores.sensitivity,
                                      .moves_together = scores.moves_together,
                                      .numbers = scores.scores.size(),
                                      .epsilon = scores.price.epsilon});
}

std::string WhatOf(const WatchPlan& plan) {
  return "watch for " + ToString(Rational(MakeRational(plan.threshold) * plan.scores.step));
}

// The smallest whole number of steps that is not below it.
Integer StepsUp(const Rational& threshold, const Rational& step) {
  return CeilOf(Rational(threshold / step));
}

}  // namespace

Result<WatchPlan> PlanWatch(Scores scores, const Rational& threshold) {
  TACIT_TRY(const noise::AboveThreshold mechanism, WatcherOf(scores));
  WatchPlan plan{.scores = std::move(scores), .threshold = 0, .margin = 0};
  plan.threshold = SaturateToInt128(StepsUp(threshold, plan.scores.step));
  plan.margin = mechanism.ErrorAt95();
  return plan;
}

// proof: selection/proof.md#a-watch
Result<Watched> Watch(const WatchPlan& plan, const gateway::Request& asker,
                      gateway::Services& services, const std::function<void(double)>& progress) {
  TACIT_TRY(const noise::AboveThreshold mechanism, WatcherOf(plan.scores));
  const Draw draw = [&](const std::vector<Int128>& numbers, Entropy& entropy) {
    const size_t first = mechanism.Apply(numbers, plan.threshold, entropy);
    return IndexToBytes(first < numbers.size() ? std::optional(first) : std::nullopt);
  };
  SelectionRelease release(plan.scores, asker, WhatOf(plan), draw, progress, services);
  TACIT_TRY(SelectionRelease::Answer answer, release.CarryOut());
  Watched watched{.alarm = {}, .receipt = std::move(answer.receipt)};
  TACIT_TRY(watched.alarm, IndexFromBytes(answer.drawn, plan.scores.scores.size()));
  return watched;
}

Result<ledger::Receipt> QuoteWatch(const WatchPlan& plan, const gateway::Request& asker,
                                   gateway::Services& services) {
  SelectionRelease release(plan.scores, asker, WhatOf(plan), {}, {}, services);
  return release.Quote();
}

}  // namespace tacit::selection
