#include "noise/group_keys/noisy_threshold.h"

#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/exponential/exp_bounds.h"
#include "noise/mode/mode.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

NoisyThreshold OverLaplace(const Rational& scale, const NoisyThreshold::Parameters& parameters) {
  return NoisyThreshold::Over(DiscreteLaplace::WithScale(scale).value(), parameters).value();
}

// groups * P(1 + X >= threshold), enclosed: for Laplace noise q^(threshold - 1) / (1 + q).
struct Enclosure {
  Rational low;
  Rational high;
};
Enclosure ChanceThatOneUnitShows(const Rational& scale, const Integer& threshold, int groups) {
  constexpr unsigned kBits = 160;
  const Integer one = Integer(1) << kBits;
  const ScaledBounds tail = ExpOfMinus((threshold - 1) / scale, kBits);
  const ScaledBounds q = ExpOfMinus(1 / scale, kBits);
  const Integer g = groups;
  return {.low = Fraction(g * tail.low, one + q.high),
          .high = Fraction(g * tail.high, one + q.low)};
}

// The boundary case of delta, exactly: the threshold keeps the promise, one less would not.
TEST(NoisyThreshold, TheLaplaceThresholdIsTheSmallestThatKeepsDelta) {
  for (const char* epsilon : {"0.01", "0.1", "1", "5"}) {
    for (const char* delta : {"1e-12", "1e-6", "0.01"}) {
      for (const int groups : {1, 7}) {
        const Rational scale = groups / ParseRational(epsilon).value();
        const Delta allowed(ParseRational(delta).value());
        const Integer tau =
            ToInteger(OverLaplace(scale, {.groups = groups, .delta = allowed}).threshold());
        EXPECT_LE(ChanceThatOneUnitShows(scale, tau, groups).high, allowed.value);
        EXPECT_GT(ChanceThatOneUnitShows(scale, tau - 1, groups).low, allowed.value);
      }
    }
  }
}

// A delta that is met with equality: q^4 / (1 + q), rounded up to a fraction just above it, allows
// the threshold 5; rounded down it does not.
TEST(NoisyThreshold, ADeltaOnTheBoundaryDecidesTheThreshold) {
  const Enclosure chance = ChanceThatOneUnitShows(1, 5, 1);
  EXPECT_EQ(OverLaplace(1, {.delta = Delta(chance.high)}).threshold(), 5);
  EXPECT_EQ(OverLaplace(1, {.delta = Delta(chance.low)}).threshold(), 6);
}

TEST(NoisyThreshold, TheGaussianThresholdKeepsDeltaAndOneLessDoesNot) {
  const Delta delta(1, 1'000'000);
  const auto noise = DiscreteGaussian::WithSigmaSquared(25).value();
  const NoisyThreshold mechanism = NoisyThreshold::Over(noise, {.delta = delta}).value();
  // sigma^2 = 25, summed in arbitrary precision.
  constexpr unsigned kBits = 256;
  const auto tail = [](long from) {
    Integer weight = 0;
    Integer total = 0;
    for (long x = -150; x <= 150; ++x) {
      const Integer w = ExpOfMinus(Fraction(x * x, 50), kBits).low;
      total += w;
      if (x >= from) weight += w;
    }
    return Fraction(weight, total);
  };
  const long tau = static_cast<long>(mechanism.threshold());
  EXPECT_LE(tail(tau - 1), delta.value);
  EXPECT_GT(tail(tau - 2), delta.value);
}

TEST(NoisyThreshold, WithholdsUnitsThatLeaveTogetherEvenWithoutNoise) {
  const Rational silent(1, 1'000'000'000);
  const Delta delta(1, 1'000'000);
  EXPECT_EQ(OverLaplace(silent, {.delta = delta}).threshold(), 2);
  EXPECT_EQ(OverLaplace(silent, {.units_moved = 4, .groups = 4, .delta = delta}).threshold(), 5);
}

TEST(NoisyThreshold, GrowsWithTheGroupsThatUnitsAreIn) {
  const auto at = [](int groups) {
    return OverLaplace(10, {.groups = groups, .delta = Delta(1, 1'000'000)}).threshold();
  };
  EXPECT_LT(at(1), at(10));
  EXPECT_LT(at(10), at(100));
}

TEST(NoisyThreshold, ShowsLargeGroupsAndWithholdsSmallOnes) {
  const auto noise = DiscreteLaplace::WithScale(1).value();
  const NoisyThreshold mechanism =
      NoisyThreshold::Over(noise, {.delta = Delta(1, 1'000'000)}).value();
  SeededEntropy entropy(4);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(mechanism.Shows(noise.Apply(1, entropy)));  // the seed is fixed: no false alarm
    EXPECT_TRUE(mechanism.Shows(noise.Apply(1000, entropy)));
  }
  EXPECT_TRUE(mechanism.Shows(mechanism.threshold()));
  EXPECT_FALSE(mechanism.Shows(mechanism.threshold() - 1));
  EXPECT_EQ(mechanism.delta(), Delta(1, 1'000'000));
}

TEST(NoisyThreshold, RefusesWhatItCannotPromise) {
  const auto noise = DiscreteLaplace::WithScale(1).value();
  EXPECT_FALSE(NoisyThreshold::Over(noise, {.delta = Delta(0, 1)}).ok());
  EXPECT_FALSE(NoisyThreshold::Over(noise, {.groups = 0, .delta = Delta(1, 9)}).ok());
  EXPECT_FALSE(NoisyThreshold::Over(noise, {.units_moved = 0, .delta = Delta(1, 9)}).ok());
  const auto choice =
      ModeSelection::Make({.values = 2, .rows_changed = 1, .epsilon = Epsilon(1, 1)}).value();
  EXPECT_FALSE(NoisyThreshold::Over(choice, {.delta = Delta(1, 9)}).ok());
}

}  // namespace
}  // namespace tacit::noise
