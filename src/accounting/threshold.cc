#include "accounting/threshold.h"

#include <algorithm>
#include <cmath>

#include "accounting/interval/interval.h"

namespace tacit::accounting {
namespace {

// Above this variance the sum over integers is bounded by an integral instead of term by term.
// Why 10^2: a term takes 20 microseconds, and a query's plan waits for them.
constexpr int kDirectVarianceMax = 10 * 10;

constexpr double kNegligible = 1e-18;

// a^n / (1 + a) with a = e^(-1/scale).
Interval LaplaceTail(const Rational& scale, const Integer& n) {
  return Exp(Interval(Rational(-n / scale))) / (Interval(1) + Exp(Interval(Rational(-1 / scale))));
}

// The weight of x beside that of n.
Interval GaussianWeight(const Rational& variance, const Integer& x, const Integer& n) {
  return Exp(Interval(Rational(-Rational(x * x - n * n) / (2 * variance))));
}

// The sum of the weights of x >= n >= 0: terms until the next is tiny beside the first, and for the
// rest anything between nothing and a geometric series, because the ratio of neighbours only falls.
// All of them beside the first, which for a tiny variance is too small to be divided by.
Interval DirectTail(const Rational& variance, const Integer& n) {
  Interval sum(0);
  Integer x = n;
  Interval weight(1);
  while (true) {
    weight = GaussianWeight(variance, x, n);
    sum = sum + weight;
    if (x > 0 && weight.Up() < kNegligible) break;
    ++x;
  }
  const Interval ratio = Exp(Interval(Rational(-Rational(2 * x + 1) / (2 * variance))));
  const Interval rest = weight * ratio / (Interval(1) - ratio);
  return GaussianWeight(variance, n, 0) * Hull(sum, sum + rest);
}

// The sum of all weights, where it is needed: it is the same for every n.
Interval GaussianTotal(const Rational& variance) {
  if (variance > kDirectVarianceMax) return Interval(1);
  return Interval(1) + Interval(2) * DirectTail(variance, 1);
}

Interval GaussianTail(const Rational& variance, const Interval& total, const Integer& n) {
  if (variance <= kDirectVarianceMax) return DirectTail(variance, n) / total;
  // Beyond one sigma the weight is convex: each is at most its integral over half a step around.
  // The sum over all integers is at least sigma sqrt(2 pi), by Poisson summation.
  const Rational from = Rational(n) - Rational(1, 2);
  if (from * from < variance) return Interval(1);
  const Interval sigma = Sqrt(Interval(variance));
  return NormalBelow(Interval(0) - Interval(from) / sigma);
}

// The smallest n >= 0 where a falling tail passes, searched in growing steps from a guess.
template <class Passes>
Integer SmallestPassing(const Integer& guess, Passes passes) {
  Integer low = -1;  // does not pass
  Integer high = guess;
  Integer step = 1;
  while (!passes(high)) {
    low = high;
    high += step;
    step *= 2;
  }
  while (low < 0 && high > 0) {
    const Integer next = high > step ? Integer(high - step) : Integer(0);
    (passes(next) ? high : low) = next;
    step *= 2;
  }
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    (passes(middle) ? high : low) = middle;
  }
  return high;
}

// About ln(groups / delta), from which the search starts.
double LogOdds(const ThresholdWish& wish) {
  return std::log(wish.groups.get_d()) - std::log(wish.delta.value.get_d());
}

template <class Tail>
Integer Threshold(const ThresholdWish& wish, double guess, Tail tail) {
  TACIT_ASSERT(wish.delta.value > 0 && wish.groups > 0 && wish.contribution >= 0);
  const Rational allowed = wish.delta.value / wish.groups;
  const Integer start(std::isfinite(guess) ? guess : 0.0);
  const Integer n =
      SmallestPassing(start, [&](const Integer& x) { return tail(x).IsAtMost(allowed); });
  const Integer tau = wish.contribution + n;
  return tau < 1 ? Integer(1) : tau;
}

}  // namespace

// proof: accounting/composition/composition.md#composition-in-closed-form
Integer DiscreteLaplaceThreshold(const Rational& scale, const ThresholdWish& wish) {
  return Threshold(wish, scale.get_d() * LogOdds(wish),
                   [&](const Integer& n) { return LaplaceTail(scale, n); });
}

// proof: accounting/composition/composition.md#composition-in-closed-form
Integer DiscreteGaussianThreshold(const Rational& sigma_squared, const ThresholdWish& wish) {
  const Interval total = GaussianTotal(sigma_squared);
  // The tail is about e^(-n^2 / 2 sigma^2) / (2.5 n / sigma).
  const double guess = std::sqrt(2 * sigma_squared.get_d() * std::max(0.0, LogOdds(wish) - 2.5));
  return Threshold(wish, guess,
                   [&](const Integer& n) { return GaussianTail(sigma_squared, total, n); });
}

double DiscreteGaussianTailUp(const Rational& sigma_squared, const Integer& n) {
  return GaussianTail(sigma_squared, GaussianTotal(sigma_squared), n).Up();
}

}  // namespace tacit::accounting
