#include "accounting/composition/composition.h"
#include "accounting/cost.h"
#include "accounting/interval/interval.h"

namespace tacit::accounting {

// proof: accounting/composition/composition.md#composition-in-closed-form
Bound AdvancedEpsilonUp(const std::vector<Term>& terms, const Delta& delta) {
  Rational delta_left = delta.value;
  Rational squares;
  Interval mean(0);
  for (const Term& term : terms) {
    const auto cost = ApproximateCost(term.event);
    if (!cost) return Bound::None("only releases with a pure or approximate epsilon compose so");
    const Rational count(ToInteger(static_cast<Int128>(term.count)));
    const Rational& epsilon = cost->epsilon.value;
    squares += epsilon * epsilon * count;
    delta_left -= cost->delta.value * count;
    mean = mean + Interval(Rational(epsilon * count)) * Tanh(Interval(epsilon) / Interval(2));
  }
  if (delta_left <= 0) {
    return Bound::None(delta.value == 0 ? "it needs delta above 0"
                                        : "the deltas of the releases together exceed delta");
  }
  const Interval log_delta = Interval(0) - Log(Interval(delta_left));
  return Bound::Of((mean + Sqrt(Interval(2) * log_delta * Interval(squares))).Up());
}

}  // namespace tacit::accounting
