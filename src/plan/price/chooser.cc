#include "plan/price/chooser.h"

#include "accounting/cost.h"

namespace tacit::plan {

// Under zcdp a bounded range of twice the epsilon costs what the price buys: (2 E)^2 / 8 = E^2 / 2.
// proof: selection/proof.md#a-choice
Result<Chooser> Chooser::Make(const Integer& spread, const Price& price) {
  if (price.accounting == policy::Accounting::kPure) {
    TACIT_TRY(noise::PermuteAndFlip pure,
              noise::PermuteAndFlip::Make({.spread = spread, .epsilon = price.epsilon}));
    return Chooser(std::move(pure));
  }
  const Epsilon range(Rational(2 * price.epsilon.value));
  TACIT_TRY(noise::ExponentialMechanism bounded,
            noise::ExponentialMechanism::Make({.spread = spread, .epsilon = range}));
  const std::optional<accounting::ZcdpCost> cost = accounting::ZcdpCostOf(bounded.event());
  TACIT_ASSERT(cost && cost->rho.value <= price.ShareOf(1).rho.value);
  return Chooser(std::move(bounded));
}

size_t Chooser::Apply(const std::vector<int64_t>& utilities, Entropy& entropy) const {
  if (const auto* pure = std::get_if<noise::PermuteAndFlip>(&mechanism_)) {
    return pure->Apply(utilities, entropy);
  }
  std::vector<noise::ExponentialMechanism::Candidate> candidates;
  for (const int64_t utility : utilities) candidates.push_back({.utility = utility});
  return std::get<noise::ExponentialMechanism>(mechanism_).Apply(candidates, entropy);
}

Integer Chooser::UtilityLossAt95(size_t candidates) const {
  if (const auto* pure = std::get_if<noise::PermuteAndFlip>(&mechanism_)) {
    return pure->UtilityLossAt95(candidates);
  }
  return std::get<noise::ExponentialMechanism>(mechanism_)
      .UtilityLossAt95(Integer(static_cast<unsigned long>(candidates)));
}

const char* Chooser::Name() const {
  return std::holds_alternative<noise::PermuteAndFlip>(mechanism_) ? "permute_and_flip"
                                                                   : "exponential_mechanism";
}

}  // namespace tacit::plan
