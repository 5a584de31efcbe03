#include "accounting/account/group.h"

#include <algorithm>

#include "accounting/interval/interval.h"

namespace tacit::accounting {

double GroupDeltaUp(const Epsilon& epsilon, const Delta& delta, uint32_t people) {
  const Interval up = Exp(Interval(epsilon.value));
  Interval sum(0);
  Interval power(1);
  for (uint32_t i = 0; i < people; ++i) {
    sum = sum + power;
    power = power * up;
  }
  return std::min(1.0, (Interval(delta.value) * sum).Up());
}

// The best guesser is right with (1 + TV)/2, and TV <= (e^eps - 1 + 2 delta) / (e^eps + 1).
double GuessChanceUp(double epsilon, double delta) {
  const Interval up = Exp(Interval(epsilon));
  return std::min(1.0, ((up + Interval(delta)) / (Interval(1) + up)).Up());
}

}  // namespace tacit::accounting
