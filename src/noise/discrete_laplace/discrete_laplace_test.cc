#include "noise/discrete_laplace/discrete_laplace.h"

#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "noise/release.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

double Chance(int64_t x, double scale) {
  const double q = std::exp(-1 / scale);
  return (1 - q) / (1 + q) * std::pow(q, std::abs(static_cast<double>(x)));
}

// P(X >= x) for x >= 1.
double Tail(int64_t x, double scale) {
  const double q = std::exp(-1 / scale);
  return std::pow(q, static_cast<double>(x)) / (1 + q);
}

const char* const kScales[] = {
    "1",           "10",   "1000",
    "1/3",         "10/3", "7/64",
    "12345678/89", "0.05", "1099511627776",
    "1e15",        "1e29", "123456789012345678901234567890/98765432109876543210987"};

// The two paths read the same words and must say the same, at every scale both can do.
TEST(DiscreteLaplace, TheFastPathAndArbitraryPrecisionAgreeOnTheSameTape) {
  for (const char* scale : kScales) {
    const DiscreteLaplace noise = DiscreteLaplace::WithScale(ParseRational(scale).value()).value();
    SeededEntropy fast(11);
    SeededEntropy exact(11);
    for (int i = 0; i < 3000; ++i) {
      ASSERT_EQ(ToInteger(noise.Sample(fast)), noise.SampleOfAnySize(exact)) << scale;
    }
    EXPECT_EQ(fast.NextWord(), exact.NextWord()) << "read a different number of words";
  }
}

TEST(DiscreteLaplace, FitsItsLawAndABiasedTwinDoesNot) {
  SeededEntropy entropy(testing::TestSeed());
  const int count = testing::IsLongRun() ? 200'000'000 : 1'000'000;
  for (const char* text : {"1", "10", "10/3"}) {
    const Rational scale = ParseRational(text).value();
    const DiscreteLaplace noise = DiscreteLaplace::WithScale(scale).value();
    const DiscreteLaplace twin = DiscreteLaplace::WithScale(scale * Rational(103, 100)).value();
    testing::Histogram fair(-150, 150);
    testing::Histogram biased(-150, 150);
    for (int i = 0; i < count; ++i) {
      fair.Add(static_cast<int64_t>(noise.Sample(entropy)));
      biased.Add(static_cast<int64_t>(twin.Sample(entropy)));
    }
    const double t = scale.get_d();
    const auto chance = [t](int64_t x) { return Chance(x, t); };
    EXPECT_LT(fair.Deviation(chance, Tail(151, t), Tail(151, t)), testing::kAlarm) << text;
    EXPECT_GT(biased.Deviation(chance, Tail(151, t), Tail(151, t)), testing::kAlarm) << text;
  }
}

TEST(DiscreteLaplace, TheScaleIsSensitivityOverEpsilon) {
  const DiscreteLaplace noise =
      DiscreteLaplace::Make({.sensitivity_l1 = 3, .epsilon = Epsilon(1, 10)}).value();
  EXPECT_EQ(noise.scale(), 30);
  const auto event = std::get<accounting::DiscreteLaplaceEvent>(noise.event());
  EXPECT_EQ(event.sensitivity_l1, 3);
  EXPECT_EQ(event.scale, 30);
}

TEST(DiscreteLaplace, RefusesParametersOutsideTheirRange) {
  EXPECT_FALSE(DiscreteLaplace::Make({.sensitivity_l1 = 0, .epsilon = Epsilon(1, 1)}).ok());
  EXPECT_FALSE(DiscreteLaplace::Make({.sensitivity_l1 = 1, .epsilon = Epsilon(0, 1)}).ok());
  EXPECT_FALSE(DiscreteLaplace::Make({.sensitivity_l1 = 1, .epsilon = Epsilon(-1, 2)}).ok());
  EXPECT_FALSE(DiscreteLaplace::WithScale(0).ok());
  EXPECT_FALSE(DiscreteLaplace::WithScale(ParseRational("1e31").value()).ok());
}

TEST(DiscreteLaplace, TheErrorBarIsTheSmallestThatHolds) {
  for (const char* text : {"0.1", "1", "10", "33/7", "1000"}) {
    const Rational scale = ParseRational(text).value();
    const DiscreteLaplace noise = DiscreteLaplace::WithScale(scale).value();
    const auto m = static_cast<int64_t>(noise.ErrorAt95().get_si());
    EXPECT_LE(2 * Tail(m + 1, scale.get_d()), 0.05) << text;
    if (m > 0) {
      EXPECT_GT(2 * Tail(m, scale.get_d()), 0.05) << text;
    }
  }
}

TEST(DiscreteLaplace, AnAnswerAtTheEndOfTheRangeStaysThere) {
  const DiscreteLaplace noise = DiscreteLaplace::WithScale(1000).value();
  SeededEntropy entropy(3);
  for (int i = 0; i < 100; ++i) {
    EXPECT_GT(noise.Apply(kInt128Max, entropy), kInt128Max - 100'000);
    EXPECT_LT(noise.Apply(kInt128Min, entropy), kInt128Min + 100'000);
  }
}

TEST(DiscreteLaplace, ReleaseIsTheWayFromSensitiveToReleased) {
  const DiscreteLaplace noise = DiscreteLaplace::WithScale(Rational(1, 100)).value();
  SeededEntropy entropy(3);
  const Sensitive<Int128> exact(Int128{412});
  const Released<Int128> released = Release(noise, exact, entropy);
  EXPECT_EQ(released.value(), 412);  // noise of scale 1/100 is zero but for e^-100
}

}  // namespace
}  // namespace tacit::noise
