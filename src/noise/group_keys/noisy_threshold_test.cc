#include "noise/group_keys/noisy_threshold.h"

#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "noise/exponential/exp_bounds.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

// groups * P(1 + X >= threshold), enclosed: for Laplace noise q^(threshold - 1) / (1 + q).
struct Enclosure {
  Rational low;
  Rational high;
};
Enclosure ChanceThatOneUnitShows(const Rational& scale, const Integer& threshold, uint64_t groups) {
  constexpr unsigned kBits = 160;
  const Integer one = Integer(1) << kBits;
  const ScaledBounds tail = ExpOfMinus((threshold - 1) / scale, kBits);
  const ScaledBounds q = ExpOfMinus(1 / scale, kBits);
  const Integer g = static_cast<unsigned long>(groups);
  return {.low = Fraction(g * tail.low, one + q.high),
          .high = Fraction(g * tail.high, one + q.low)};
}

// The boundary case of delta, exactly: the threshold keeps the promise, one less would not.
TEST(NoisyThreshold, TheLaplaceThresholdIsTheSmallestThatKeepsDelta) {
  for (const char* epsilon : {"0.01", "0.1", "1", "5"}) {
    for (const char* delta : {"1e-12", "1e-6", "0.01"}) {
      for (const uint64_t groups : {1, 7}) {
        const Rational price = ParseRational(epsilon).value();
        const Delta allowed(ParseRational(delta).value());
        const NoisyThreshold mechanism =
            NoisyThreshold::WithLaplace(Epsilon(price),
                                        {.groups_per_unit = groups, .delta = allowed})
                .value();
        const Rational scale = static_cast<unsigned long>(groups) / price;
        const Integer& tau = mechanism.threshold();
        EXPECT_LE(ChanceThatOneUnitShows(scale, tau, groups).high, allowed.value);
        if (tau > 1) {
          EXPECT_GT(ChanceThatOneUnitShows(scale, tau - 1, groups).low, allowed.value);
        }
      }
    }
  }
}

// A delta that is met with equality: q^4 / (1 + q), rounded up to a fraction just above it, allows
// the threshold 5; rounded down it does not.
TEST(NoisyThreshold, ADeltaOnTheBoundaryDecidesTheThreshold) {
  const Enclosure chance = ChanceThatOneUnitShows(1, 5, 1);
  const auto threshold = [](const Rational& delta) {
    return NoisyThreshold::WithLaplace(Epsilon(1, 1), {.groups_per_unit = 1, .delta = Delta(delta)})
        .value()
        .threshold();
  };
  EXPECT_EQ(threshold(chance.high), 5);
  EXPECT_EQ(threshold(chance.low), 6);
}

TEST(NoisyThreshold, TheGaussianThresholdKeepsDeltaAndOneLessDoesNot) {
  const Delta delta(1, 1'000'000);
  const NoisyThreshold mechanism =
      NoisyThreshold::WithGaussian(Rho(1, 50), {.groups_per_unit = 1, .delta = delta}).value();
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
  const long tau = mechanism.threshold().get_si();
  EXPECT_LE(tail(tau - 1), delta.value);
  EXPECT_GT(tail(tau - 2), delta.value);
}

TEST(NoisyThreshold, ShowsLargeGroupsWithTheirNoisyCountAndWithholdsSmallOnes) {
  const NoisyThreshold mechanism =
      NoisyThreshold::WithLaplace(Epsilon(1, 1),
                                  {.groups_per_unit = 1, .delta = Delta(1, 1'000'000)})
          .value();
  SeededEntropy entropy(4);
  int shown = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(mechanism.Apply(1, entropy).has_value());  // the seed is fixed: no false alarm
    const std::optional<Int128> large = mechanism.Apply(1000, entropy);
    ASSERT_TRUE(large.has_value());
    EXPECT_GE(ToInteger(*large), mechanism.threshold());
    shown += *large != 1000 ? 1 : 0;
  }
  EXPECT_GT(shown, 300) << "the counts are noisy";
}

TEST(NoisyThreshold, TheCostIsThatOfTheNoiseAndTheDeltaOfTheThreshold) {
  const NoisyThreshold mechanism =
      NoisyThreshold::WithGaussian(Rho(1, 8), {.groups_per_unit = 4, .delta = Delta(1, 1000)})
          .value();
  const auto event = std::get<accounting::DiscreteGaussianEvent>(mechanism.noise_event());
  EXPECT_EQ(event.sigma_squared, 16);
  EXPECT_EQ(event.sensitivity_l2_squared, 4);
  EXPECT_EQ(mechanism.delta(), Delta(1, 1000));
}

TEST(NoisyThreshold, RefusesWhatItCannotPromise) {
  EXPECT_FALSE(
      NoisyThreshold::WithLaplace(Epsilon(1, 1), {.groups_per_unit = 1, .delta = Delta(0, 1)})
          .ok());
  EXPECT_FALSE(
      NoisyThreshold::WithLaplace(Epsilon(0, 1), {.groups_per_unit = 1, .delta = Delta(1, 9)})
          .ok());
  EXPECT_FALSE(
      NoisyThreshold::WithGaussian(Rho(1, 1), {.groups_per_unit = 0, .delta = Delta(1, 9)}).ok());
  EXPECT_FALSE(
      NoisyThreshold::WithGaussian(Rho(0, 1), {.groups_per_unit = 1, .delta = Delta(1, 9)}).ok());
}

}  // namespace
}  // namespace tacit::noise
