#include "accounting/threshold.h"

#include "accounting/interval.h"

namespace tacit::accounting {
namespace {

// Above this variance the sum over integers is bounded by an integral instead of term by term.
constexpr int kDirectVarianceMax = 64 * 64;

constexpr double kNegligible = 1e-40;

// a^n / (1 + a) with a = e^(-1/scale).
Interval LaplaceTail(const Rational& scale, const Integer& n) {
  return Exp(Interval(Rational(-n / scale))) / (Interval(1) + Exp(Interval(Rational(-1 / scale))));
}

Interval GaussianWeight(const Rational& variance, const Integer& x) {
  return Exp(Interval(Rational(-Rational(x * x) / (2 * variance))));
}

// The sum of the weights of x >= n >= 0: terms until the next is tiny beside the first, and for the
// rest anything between nothing and a geometric series, because the ratio of neighbours only falls.
Interval DirectTail(const Rational& variance, const Integer& n) {
  Interval sum(0);
  Integer x = n;
  const Interval start = GaussianWeight(variance, n);
  while (true) {
    const Interval weight = GaussianWeight(variance, x);
    sum = sum + weight;
    if (x > 0 && (weight / start).Up() < kNegligible) break;
    ++x;
  }
  const Interval ratio = Exp(Interval(Rational(-Rational(2 * x + 1) / (2 * variance))));
  const Interval rest = GaussianWeight(variance, x) * ratio / (Interval(1) - ratio);
  return Hull(sum, sum + rest);
}

Interval GaussianTail(const Rational& variance, const Integer& n) {
  if (variance <= kDirectVarianceMax) {
    return DirectTail(variance, n) / (Interval(1) + Interval(2) * DirectTail(variance, 1));
  }
  // Beyond one sigma the weight is convex: each is at most its integral over half a step around.
  // The sum over all integers is at least sigma sqrt(2 pi), by Poisson summation.
  const Rational from = Rational(n) - Rational(1, 2);
  if (from * from < variance) return Interval(1);
  const Interval sigma = Sqrt(Interval(variance));
  return NormalBelow(Interval(0) - Interval(from) / sigma);
}

// The smallest n >= 0 where a falling tail passes, found by doubling and halving.
template <class Passes>
Integer SmallestPassing(Passes passes) {
  if (passes(Integer(0))) return 0;
  Integer high = 1;
  while (!passes(high)) high *= 2;
  Integer low = high / 2;
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    (passes(middle) ? high : low) = middle;
  }
  return high;
}

template <class Tail>
Integer Threshold(const ThresholdWish& wish, Tail tail) {
  TACIT_ASSERT(wish.delta.value > 0 && wish.groups > 0 && wish.contribution >= 0);
  const Rational allowed = wish.delta.value / wish.groups;
  const Integer n = SmallestPassing([&](const Integer& x) { return tail(x).ExactUp() <= allowed; });
  const Integer tau = wish.contribution + n;
  return tau < 1 ? Integer(1) : tau;
}

}  // namespace

Integer DiscreteLaplaceThreshold(const Rational& scale, const ThresholdWish& wish) {
  return Threshold(wish, [&](const Integer& n) { return LaplaceTail(scale, n); });
}

Integer DiscreteGaussianThreshold(const Rational& sigma_squared, const ThresholdWish& wish) {
  return Threshold(wish, [&](const Integer& n) { return GaussianTail(sigma_squared, n); });
}

double DiscreteLaplaceTailUp(const Rational& scale, const Integer& n) {
  return LaplaceTail(scale, n).Up();
}

double DiscreteGaussianTailUp(const Rational& sigma_squared, const Integer& n) {
  return GaussianTail(sigma_squared, n).Up();
}

}  // namespace tacit::accounting
