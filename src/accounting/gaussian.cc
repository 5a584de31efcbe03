#include "accounting/gaussian.h"

#include "accounting/interval/bisect.h"

namespace tacit::accounting {

// proof: accounting/composition/composition.md#composition-in-closed-form
Interval GaussianDelta(const Rational& sigma, const Interval& epsilon) {
  const Interval s(sigma);
  const Interval half = Interval(1) / (Interval(2) * s);
  const Interval shift = epsilon * s;
  return NormalBelow(half - shift) - Exp(epsilon) * NormalBelow(Interval(0) - half - shift);
}

double GaussianEpsilonUp(const Rational& sigma, const Delta& delta) {
  const double target = ToDoubleDown(delta.value);
  return SmallestWhere(
      [&](double epsilon) { return GaussianDelta(sigma, Interval(epsilon)).Up() <= target; });
}

double GaussianEpsilonDown(const Rational& sigma, const Delta& delta) {
  const double target = ToDoubleUp(delta.value);
  const double above = SmallestWhere(
      [&](double epsilon) { return GaussianDelta(sigma, Interval(epsilon)).Down() <= target; });
  return above == 0 ? 0 : std::nextafter(above, 0);
}

double GaussianSigmaUp(const Epsilon& epsilon, const Delta& delta) {
  const double target = ToDoubleDown(delta.value);
  const Interval eps(epsilon.value);
  return SmallestWhere([&](double sigma) {
    return sigma > 0 && GaussianDelta(RationalOf(sigma), eps).Up() <= target;
  });
}

namespace {

// P(x > cut) for N(centre, sigma).
Interval Above(const Interval& cut, const Interval& centre, const Interval& sigma) {
  return NormalBelow((centre - cut) / sigma);
}

}  // namespace

Interval SubsampledGaussianDelta(const Rational& sigma, const Rational& rate, double epsilon) {
  const Interval s(sigma);
  const Interval q(rate);
  const Interval one(1);
  const Interval half = one / Interval(2);
  const Interval up = Exp(Interval(epsilon));
  // Remove: the mixture exceeds e^epsilon N(0) where x is above `cut`.
  const Interval cut = s * s * Log((up - one + q) / q) + half;
  const Interval mixture = (one - q) * Above(cut, Interval(0), s) + q * Above(cut, one, s);
  const Interval remove = mixture - up * Above(cut, Interval(0), s);
  // Add: N(0) exceeds e^epsilon times the mixture where x is below another cut, if anywhere.
  const Interval rest = one / up - one + q;
  Interval add(0);
  if (rest.Up() > 0) {
    if (rest.Down() <= 0) return Max(remove, Max(add, one - up * (one - q)));
    const Interval low = s * s * Log(rest / q) + half;
    const Interval without = one - Above(low, Interval(0), s);
    const Interval with = one - Above(low, one, s);
    add = without - up * ((one - q) * without + q * with);
  }
  return Max(remove, add);
}

}  // namespace tacit::accounting
