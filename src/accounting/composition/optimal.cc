#include <algorithm>

#include "accounting/composition/composition.h"
#include "accounting/cost.h"
#include "accounting/interval/interval.h"

namespace tacit::accounting {
namespace {

// Why 20000: a 256-bit sum of this many terms takes some milliseconds; beyond, the distribution of
// the loss of randomised response is the same number and costs less.
constexpr uint64_t kExactReleasesMax = 20000;

struct Homogeneous {
  Epsilon epsilon;
  Delta delta;
  uint64_t count = 0;
};

std::optional<Homogeneous> CommonParameters(const std::vector<Term>& terms, std::string* reason) {
  std::optional<Homogeneous> common;
  for (const Term& term : terms) {
    const auto cost = ApproximateCost(term.event);
    if (!cost) {
      *reason = "only releases with a pure or approximate epsilon compose so";
      return std::nullopt;
    }
    if (!common) common = Homogeneous{cost->epsilon, cost->delta, 0};
    if (!(common->epsilon == cost->epsilon) || !(common->delta == cost->delta)) {
      *reason = "the releases do not all have the same epsilon and delta";
      return std::nullopt;
    }
    if (__builtin_add_overflow(common->count, term.count, &common->count)) {
      *reason = "the count of releases overflows";
      return std::nullopt;
    }
  }
  return common;
}

// Of k randomised responses, l lie on the likely side with mass C(k,l) e^(l eps) / (1 + e^eps)^k,
// and their loss is (2l - k) eps. From the top: while the sums A of the masses and B of the masses
// over e^loss leave A - e^loss B at most delta, the answer lies further down; between two losses
// the equation A - e^x B = delta is solved exactly.
Bound ExactOptimal(const Homogeneous& h, const Rational& delta) {
  const Interval up = Exp(Interval(h.epsilon.value));
  const Interval finite = Power(Interval(1) - Interval(h.delta.value), h.count);
  const Interval target = (Interval(delta) - (Interval(1) - finite)) / finite;
  if (target.Up() < 0) return Bound::None("the deltas of the releases together exceed delta");
  if (target.Down() <= 0) {  // nothing of delta is left: the plain sum
    return Bound::Of(
        ToDoubleUp(Rational(h.epsilon.value * ToInteger(static_cast<Int128>(h.count)))));
  }
  const Interval likely = up / (Interval(1) + up);
  Interval mass = Power(likely, h.count);
  Interval under_q = Power(Interval(1) / (Interval(1) + up), h.count);
  Interval a(0);
  Interval b(0);
  const auto loss = [&](uint64_t l) {
    const Int128 twice = 2 * static_cast<Int128>(l) - static_cast<Int128>(h.count);
    return Rational(h.epsilon.value * ToInteger(twice));
  };
  for (uint64_t l = h.count;; --l) {
    a = a + mass;
    b = b + under_q;
    // At the next loss down, is delta(loss) above the target? Then x lies between.
    const bool last = l == 0 || 2 * l <= h.count;
    const Rational next = last ? Rational(0) : std::max(Rational(0), loss(l - 1));
    const Interval at_next = a - Exp(Interval(next)) * b;
    if (at_next.Up() > target.Down()) {
      const Interval ratio = (a - target) / b;
      if (ratio.Down() <= 0) return Bound::Of(0);
      return Bound::Of(std::min(std::max(0.0, Log(ratio).Up()), ToDoubleUp(loss(l))));
    }
    if (last) return Bound::Of(0);
    const Interval step = Interval(Rational(ToInteger(static_cast<Int128>(l)),
                                            ToInteger(static_cast<Int128>(h.count - l + 1))));
    mass = mass * step / up;
    under_q = under_q * step * up;
  }
}

}  // namespace

// proof: accounting/composition/composition.md#composition-in-closed-form
Bound OptimalEpsilonUp(const std::vector<Term>& terms, const Delta& delta) {
  std::string reason;
  const auto common = CommonParameters(terms, &reason);
  if (!common) return Bound::None(reason);
  if (delta.value == 0 && common->delta.value == 0) {
    const Integer count = ToInteger(static_cast<Int128>(common->count));
    return Bound::Of(ToDoubleUp(Rational(common->epsilon.value * count)));
  }
  if (common->count <= kExactReleasesMax) return ExactOptimal(*common, delta.value);
  const Event response = ApproximateEvent{common->epsilon, common->delta};
  return PldEpsilon({{response, common->count}}, delta, Neighbours::kAddRemove).upper;
}

}  // namespace tacit::accounting
