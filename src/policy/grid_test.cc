#include <gtest/gtest.h>

#include "policy/policy.h"

namespace tacit::policy {
namespace {

Bounds Between(const char* low, const char* high) {
  return Bounds{*ParseRational(low), *ParseRational(high)};
}

TEST(Grid, WholeNumbersStepByOne) { EXPECT_EQ(DefaultStep(Between("0", "1e15"), true), 1); }

TEST(Grid, OtherStepsAreTheLargestPowerOfTenAtMostAMillionthOfTheRange) {
  EXPECT_EQ(ToString(DefaultStep(Between("0", "200000"), false)), "0.1");
  EXPECT_EQ(ToString(DefaultStep(Between("0", "1000000"), false)), "1");
  EXPECT_EQ(ToString(DefaultStep(Between("0", "999999.99"), false)), "0.1");
  EXPECT_EQ(ToString(DefaultStep(Between("-100", "100"), false)), "0.0001");
  EXPECT_EQ(ToString(DefaultStep(Between("0", "1e-9"), false)), "0.000000000000001");
  EXPECT_EQ(DefaultStep(Between("0", "1e300"), false), *ParseRational("1e294"));
}

TEST(Grid, ARangeOfOneValueStepsByItsMagnitude) {
  EXPECT_EQ(ToString(DefaultStep(Between("5", "5"), false)), "0.000001");
  EXPECT_EQ(ToString(DefaultStep(Between("0", "0"), false)), "1");
}

TEST(Grid, TheDefaultStepHoldsOverManyMagnitudes) {
  for (int exponent = -40; exponent <= 40; ++exponent) {
    for (const char* digits : {"1", "1.000001", "3.7", "9.999999"}) {
      const Rational range = *ParseRational(std::string(digits) + "e" + std::to_string(exponent));
      const Rational step = DefaultStep(Bounds{0, range}, false);
      EXPECT_LE(Rational(step * 1'000'000), range);
      EXPECT_GT(Rational(step * 10'000'000), range);
    }
  }
}

TEST(Grid, EndsAreRoundedOutwards) {
  const Result<Grid> grid = MakeGrid(Between("-0.55", "1.01"), *ParseRational("0.1"));
  ASSERT_TRUE(grid.ok());
  EXPECT_EQ(ToString(grid->low_steps), "-6");
  EXPECT_EQ(ToString(grid->high_steps), "11");
}

TEST(Grid, ARangeThatCouldOverflowASumIsRefused) {
  EXPECT_FALSE(MakeGrid(Between("0", "1e19"), 1).ok());
  EXPECT_TRUE(MakeGrid(Between("-4611686018427387904", "4611686018427387904"), 1).ok());
  EXPECT_FALSE(MakeGrid(Between("-4611686018427387905", "0"), 1).ok());
}

TEST(Grid, TheDeclaredStepComesBeforeTheDefault) {
  Column column;
  column.bounds = Between("0", "100");
  EXPECT_EQ(GridOf(column, kIntegerType)->step, 1);
  EXPECT_EQ(GridOf(column, kDoubleType)->step, *ParseRational("0.0001"));
  column.step = *ParseRational("0.5");
  EXPECT_EQ(ToString(GridOf(column, kIntegerType)->high_steps), "200");
}

}  // namespace
}  // namespace tacit::policy
