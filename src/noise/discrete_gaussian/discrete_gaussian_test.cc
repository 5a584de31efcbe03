#include "noise/discrete_gaussian/discrete_gaussian.h"

#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

struct Law {
  explicit Law(double sigma_squared) : variance(sigma_squared) {
    for (int x = -4000; x <= 4000; ++x) total += Weight(x);
  }
  double Weight(int64_t x) const {
    return std::exp(-static_cast<double>(x) * static_cast<double>(x) / (2 * variance));
  }
  double variance;
  double total = 0;
};

const char* const kSigmaSquared[] = {"1",
                                     "1/4",
                                     "100",
                                     "2/3",
                                     "1000000",
                                     "12345678901/7",
                                     "1208925819614629174706176",  // 2^80: sigma 2^40
                                     "1e30",
                                     "1e50",
                                     "0.0001",
                                     "98765432109876543210/123456789012345678901"};

TEST(DiscreteGaussian, TheFastPathAndArbitraryPrecisionAgreeOnTheSameTape) {
  for (const char* text : kSigmaSquared) {
    const DiscreteGaussian noise =
        DiscreteGaussian::WithSigmaSquared(ParseRational(text).value()).value();
    SeededEntropy fast(12);
    SeededEntropy exact(12);
    for (int i = 0; i < 3000; ++i) {
      ASSERT_EQ(ToInteger(noise.Sample(fast)), noise.SampleOfAnySize(exact)) << text << " " << i;
    }
    EXPECT_EQ(fast.NextWord(), exact.NextWord()) << "read a different number of words";
  }
}

TEST(DiscreteGaussian, FitsItsLawAndABiasedTwinDoesNot) {
  SeededEntropy entropy(testing::TestSeed());
  const int count = testing::IsLongRun() ? 200'000'000 : 1'000'000;
  for (const char* text : {"1/4", "1", "6", "100"}) {
    const Rational sigma_squared = ParseRational(text).value();
    const auto noise = DiscreteGaussian::WithSigmaSquared(sigma_squared).value();
    const auto twin =
        DiscreteGaussian::WithSigmaSquared(sigma_squared * Rational(103, 100)).value();
    testing::Histogram fair(-60, 60);
    testing::Histogram biased(-60, 60);
    for (int i = 0; i < count; ++i) {
      fair.Add(static_cast<int64_t>(noise.Sample(entropy)));
      biased.Add(static_cast<int64_t>(twin.Sample(entropy)));
    }
    const Law law(sigma_squared.get_d());
    const auto chance = [&](int64_t x) { return law.Weight(x) / law.total; };
    double tail = 0;
    for (int x = 61; x < 4000; ++x) tail += law.Weight(x) / law.total;
    EXPECT_LT(fair.Deviation(chance, tail, tail), testing::kAlarm) << text;
    EXPECT_GT(biased.Deviation(chance, tail, tail), testing::kAlarm) << text;
  }
}

TEST(DiscreteGaussian, SigmaFollowsFromRhoAndSensitivity) {
  const auto noise =
      DiscreteGaussian::Make({.sensitivity_l2_squared = 8, .rho = Rho(1, 100)}).value();
  EXPECT_EQ(noise.sigma_squared(), 400);
  const auto event = std::get<accounting::DiscreteGaussianEvent>(noise.event());
  EXPECT_EQ(event.sensitivity_l2_squared / (2 * event.sigma_squared), Rational(1, 100));
}

TEST(DiscreteGaussian, RefusesParametersOutsideTheirRange) {
  EXPECT_FALSE(DiscreteGaussian::Make({.sensitivity_l2_squared = 0, .rho = Rho(1, 1)}).ok());
  EXPECT_FALSE(DiscreteGaussian::Make({.sensitivity_l2_squared = 1, .rho = Rho(0, 1)}).ok());
  EXPECT_FALSE(DiscreteGaussian::WithSigmaSquared(-1).ok());
  EXPECT_FALSE(DiscreteGaussian::WithSigmaSquared(ParseRational("1e61").value()).ok());
}

TEST(DiscreteGaussian, TheErrorBarIsTheSmallestThatHolds) {
  for (const char* text : {"0.01", "1/4", "1", "6", "100", "4000", "5000"}) {
    const Rational sigma_squared = ParseRational(text).value();
    const auto noise = DiscreteGaussian::WithSigmaSquared(sigma_squared).value();
    const auto m = static_cast<int64_t>(noise.ErrorAt95().get_si());
    const Law law(sigma_squared.get_d());
    double inside = 1;
    for (int64_t x = 1; x <= m; ++x) inside += 2 * law.Weight(x);
    EXPECT_LE(1 - inside / law.total, 0.05) << text;
    if (m > 0) {
      EXPECT_GT(1 - (inside - 2 * law.Weight(m)) / law.total, 0.05) << text;
    }
  }
}

}  // namespace
}  // namespace tacit::noise
