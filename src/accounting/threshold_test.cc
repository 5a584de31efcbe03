#include "accounting/threshold.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/interval/interval.h"
#include "accounting/testing/spelling.h"

namespace tacit::accounting {
namespace {

// The tail itself, with MPFR on both sides of the boundary: tau passes, tau - 1 does not.
TEST(Threshold, DiscreteLaplaceIsTheSmallestThatPasses) {
  for (const char* scale_text : {"1/3", "1", "10", "12.5", "100000"}) {
    for (const char* delta_text : {"0.3", "1e-3", "1e-9", "1e-30"}) {
      const Rational scale = ParseRational(scale_text).value();
      const Delta delta = DeltaOf(delta_text);
      const Integer tau = DiscreteLaplaceThreshold(scale, {.delta = delta});
      const Interval below = Interval(1) + Exp(Interval(Rational(-1 / scale)));
      const auto tail = [&](const Integer& n) {
        return Exp(Interval(Rational(-n / scale))) / below;
      };
      EXPECT_LE(tail(tau - 1).ExactUp(), delta.value) << scale_text << " " << delta_text;
      if (tau > 1) {
        EXPECT_GT(tail(tau - 2).ExactDown(), delta.value) << scale_text;
      }
    }
  }
}

// A delta that is the tail's own value, rounded to 256 bits up and down: the boundary itself.
TEST(Threshold, TheBoundaryCaseOfDeltaFallsOnTheRightSide) {
  const Rational scale(10);
  const Interval exact =
      Exp(Interval(Rational(-7))) / (Interval(1) + Exp(Interval(Rational(-1, 10))));  // P(X >= 70)
  EXPECT_EQ(DiscreteLaplaceThreshold(scale, {.delta = Delta(exact.ExactUp())}), 71);
  EXPECT_EQ(DiscreteLaplaceThreshold(scale, {.delta = Delta(exact.ExactDown())}), 72);
}

TEST(Threshold, SeveralGroupsShareDelta) {
  const Integer one = DiscreteLaplaceThreshold(10, {.delta = DeltaOf("1e-6")});
  const Integer eight = DiscreteLaplaceThreshold(10, {.groups = 8, .delta = DeltaOf("8e-6")});
  EXPECT_EQ(one, eight);
  const Integer more = DiscreteLaplaceThreshold(10, {.contribution = 5, .delta = DeltaOf("1e-6")});
  EXPECT_EQ(more, one + 4);
}

TEST(Threshold, DiscreteGaussianTailMatchesItsDirectSum) {
  for (const double sigma : {0.3, 1.0, 5.0}) {
    long double total = 0;
    long double tail = 0;
    for (int x = -200; x <= 200; ++x) {
      const long double weight = std::exp(-static_cast<long double>(x) * x / (2 * sigma * sigma));
      total += weight;
      if (x >= 3) tail += weight;
    }
    const double exact = static_cast<double>(tail / total);
    const double up = DiscreteGaussianTailUp(RationalOf(sigma) * RationalOf(sigma), 3);
    EXPECT_NEAR(up / exact, 1, 1e-12) << sigma;
  }
}

TEST(Threshold, TheIntegralBoundIsAboveAndCloseToTheSum) {
  long double total = 0;
  long double tail = 0;
  for (int x = -3000; x <= 3000; ++x) {
    const long double weight = std::exp(-static_cast<long double>(x) * x / (2.0L * 10000));
    total += weight;
    if (x >= 500) tail += weight;
  }
  const double exact = static_cast<double>(tail / total);
  const double up = DiscreteGaussianTailUp(10000, 500);
  EXPECT_GE(up, exact);
  EXPECT_LE(up, exact * 1.001);
  const Integer tau = DiscreteGaussianThreshold(10000, {.delta = DeltaOf("1e-9")});
  EXPECT_LE(DiscreteGaussianTailUp(10000, tau - 1), 1e-9);
  EXPECT_GT(DiscreteGaussianTailUp(10000, tau - 2), 1e-9);
}

// Noise at a price that hardly anybody pays: its tail is smaller than any number of 256 bits.
TEST(Threshold, IsOneAboveTheContributionForNoiseThatIsAsGoodAsNone) {
  for (const char* spread : {"1e-8", "1e-9", "1e-12", "1e-18", "1e-24", "1e-60", "1e-300"}) {
    const Rational tiny = ParseRational(spread).value();
    for (const char* delta : {"1e-300", "1e-9", "0.4"}) {
      const ThresholdWish wish{.contribution = 5, .groups = 3, .delta = DeltaOf(delta)};
      EXPECT_EQ(DiscreteGaussianThreshold(tiny, wish), 6) << spread << " " << delta;
      EXPECT_EQ(DiscreteLaplaceThreshold(tiny, wish), 6) << spread << " " << delta;
    }
    EXPECT_LT(DiscreteGaussianTailUp(tiny, 1), 1e-300) << spread;
  }
}

}  // namespace
}  // namespace tacit::accounting
