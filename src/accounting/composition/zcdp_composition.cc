#include "accounting/composition/composition.h"
#include "accounting/cost.h"
#include "accounting/pld/pld.h"
#include "accounting/zcdp.h"

namespace tacit::accounting {

// proof: accounting/composition/composition.md#composition-in-closed-form
Bound ZcdpBoundUp(const std::vector<Term>& terms, const Delta& delta) {
  Rational rho;
  Rational delta_left = delta.value;
  for (const Term& term : terms) {
    const auto cost = ZcdpCostOf(term.event);
    if (!cost) return Bound::None("sampling amplifies no zCDP: a subsampled Gaussian has no rho");
    const Integer count = ToInteger(static_cast<Int128>(term.count));
    rho += cost->rho.value * count;
    delta_left -= cost->delta.value * count;
  }
  if (delta_left <= 0) {
    return Bound::None(delta.value == 0 ? "it needs delta above 0"
                                        : "the deltas of the releases together exceed delta");
  }
  return Bound::Of(ZcdpEpsilonUp(Rho(rho), Delta(delta_left)));
}

PldBound PldEpsilon(const std::vector<Term>& terms, const Delta& delta, Neighbours neighbours) {
  if (delta.value == 0) return {Bound::None("it needs delta above 0"), 0};
  const auto bracket = pld::EpsilonBracket(terms, delta, neighbours);
  if (!bracket.ok()) return {Bound::None(bracket.error().public_message), 0};
  return {Bound::Of(bracket->upper), bracket->lower};
}

}  // namespace tacit::accounting
