#include "local/estimate/plan.h"

#include <algorithm>
#include <cmath>

#include "local/design/exact_log.h"
#include "local/design/hash_family.h"
#include "local/estimate/estimate.h"

namespace tacit::local {
namespace {

double ReportBits(const Design& design) {
  if (HasBits(design.mechanism)) return design.values;
  if (design.mechanism != Mechanism::kHashing) return std::log2(design.values);
  const HashFamily family(design.values, design.buckets);
  return std::log2(family.seeds()) + std::log2(family.buckets());
}

PlannedMechanism Planned(const Design& design, const PlanWish& wish) {
  const double n = static_cast<double>(wish.people);
  const double variance = NoiseVariance(design, 0);
  PlannedMechanism planned{.design = design,
                           .deviation = std::sqrt(n * variance),
                           .margin95 = kNormal95 * std::sqrt(variance / n),
                           .report_bits = ReportBits(design)};
  if (wish.margin) {
    planned.people_needed =
        std::ceil(kNormal95 * kNormal95 * variance / (*wish.margin * *wish.margin));
  }
  return planned;
}

}  // namespace

Result<LocalPlan> PlanCollection(const PlanWish& wish) {
  if (wish.people == 0) return InvalidArgument("the number of people must be above 0");
  if (wish.margin && (*wish.margin <= 0 || *wish.margin >= 1)) {
    return InvalidArgument("the wished error is a share: above 0 and below 1",
                           "0.01 is one point of a hundred");
  }
  LocalPlan plan;
  for (const Mechanism mechanism : {Mechanism::kWarner, Mechanism::kKary, Mechanism::kHashing,
                                    Mechanism::kOptimal, Mechanism::kSymmetric}) {
    // krr of two values is rr.
    if (mechanism == (wish.values == 2 ? Mechanism::kKary : Mechanism::kWarner)) continue;
    TACIT_TRY(const Design design,
              MakeDesign({.mechanism = mechanism, .values = wish.values, .epsilon = wish.epsilon}));
    plan.mechanisms.push_back(Planned(design, wish));
  }
  std::stable_sort(plan.mechanisms.begin(), plan.mechanisms.end(),
                   [](const auto& a, const auto& b) { return a.deviation < b.deviation; });

  // P(x) proportional to a^|x| with a = exp(-epsilon): variance 2 a / (1 - a)^2.
  const double a = 1 / NearExp(wish.epsilon.value);
  plan.central_deviation = std::sqrt(2 * a) / (1 - a);
  plan.central_margin95 = kNormal95 * plan.central_deviation / static_cast<double>(wish.people);
  if (wish.margin) {
    plan.central_people_needed = std::ceil(kNormal95 * plan.central_deviation / *wish.margin);
  }
  return plan;
}

}  // namespace tacit::local
