#include "accounting/composition/composition.h"
#include "accounting/cost.h"
#include "accounting/interval/interval.h"

namespace tacit::accounting {

// proof: accounting/composition/composition.md#composition-in-closed-form
Bound BasicEpsilonUp(const std::vector<Term>& terms, const Delta& delta) {
  Rational pure_sum;
  Rational delta_left = delta.value;
  Integer sharing;
  for (const Term& term : terms) {
    const Integer count = ToInteger(static_cast<Int128>(term.count));
    if (const auto cost = ApproximateCost(term.event)) {
      pure_sum += cost->epsilon.value * count;
      delta_left -= cost->delta.value * count;
    } else {
      sharing += count;
    }
  }
  if (delta_left < 0) return Bound::None("the deltas of the releases together exceed delta");
  if (sharing == 0) return Bound::Of(ToDoubleUp(pure_sum));
  if (delta_left == 0) return Bound::None("Gaussian noise needs delta above 0");
  const Delta share(Rational(delta_left / sharing));
  Interval sum(pure_sum);
  for (const Term& term : terms) {
    if (ApproximateCost(term.event)) continue;
    const Interval count(Rational(ToInteger(static_cast<Int128>(term.count))));
    const double each = EpsilonUp(term.event, share);
    if (each > 1e300) return Bound::None("a release has no epsilon at its share of delta");
    sum = sum + count * Interval(each);
  }
  return Bound::Of(sum.Up());
}

}  // namespace tacit::accounting
