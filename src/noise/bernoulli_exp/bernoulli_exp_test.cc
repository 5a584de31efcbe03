#include "noise/bernoulli_exp/bernoulli_exp.h"

#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

TEST(BernoulliExp, IsTrueWithItsExactChanceAndABiasedTwinIsNot) {
  SeededEntropy entropy(testing::TestSeed());
  // Why 200,000: of the smallest bias, at 5/2, they see twelve standard deviations.
  const int count = testing::IsLongRun() ? 50'000'000 : 200'000;
  for (const char* text : {"0", "1/1000", "1/3", "1", "5/2"}) {
    const Rational x = ParseRational(text).value();
    const Rational off = Rational(x + Rational(1, 10));
    testing::Histogram fair(0, 1);
    testing::Histogram biased(0, 1);
    for (int i = 0; i < count; ++i) {
      fair.Add(BernoulliExp(x, entropy) ? 1 : 0);
      biased.Add(BernoulliExp(off, entropy) ? 1 : 0);
    }
    const double p = std::exp(-x.get_d());
    const auto chance = [p](int64_t heads) { return heads == 1 ? p : 1 - p; };
    EXPECT_LT(fair.Deviation(chance, 0, 0), testing::kAlarm) << text;
    if (x > 0) {
      EXPECT_GT(biased.Deviation(chance, 0, 0), testing::kAlarm) << text;
    }
  }
}

TEST(BernoulliExp, HugeExponentsAreFalseAndCostNothing) {
  SeededEntropy entropy(9);
  EXPECT_FALSE(BernoulliExp(ParseRational("1e300").value(), entropy));
  EXPECT_TRUE(BernoulliExp(ParseRational("1e-300").value(), entropy));
}

TEST(BernoulliExpDeathTest, ANegativeExponentEndsTheProgram) {
  SeededEntropy entropy(9);
  EXPECT_DEATH((void)BernoulliExp(-1, entropy), "x >= 0");
}

}  // namespace
}  // namespace tacit::noise
