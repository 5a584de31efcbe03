#include "accounting/account/epsilon_bounds.h"

namespace tacit::accounting {
namespace {

bool IsSampled(const Term& term) {
  return std::holds_alternative<SubsampledGaussianEvent>(term.event);
}

}  // namespace

std::optional<double> EpsilonBounds::Best() const {
  std::optional<double> best;
  for (const Bound* bound : {&basic, &advanced, &optimal, &zcdp, &pld.upper}) {
    if (bound->epsilon && (!best || *bound->epsilon < *best)) best = bound->epsilon;
  }
  return best;
}

EpsilonBounds EpsilonBoundsFor(const std::vector<Term>& terms, const Delta& delta,
                               Neighbours neighbours) {
  if (neighbours == Neighbours::kReplaceOne) {
    for (const Term& term : terms) {
      if (!IsSampled(term)) continue;
      const Bound refused = Bound::None(
          "Poisson sampling is proven for add_remove neighbours only, not for replace_one");
      return {refused, refused, refused, refused, {refused, 0}};
    }
  }
  return {BasicEpsilonUp(terms, delta), AdvancedEpsilonUp(terms, delta),
          OptimalEpsilonUp(terms, delta), ZcdpBoundUp(terms, delta),
          PldEpsilon(terms, delta, neighbours)};
}

}  // namespace tacit::accounting
