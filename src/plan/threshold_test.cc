#include "plan/threshold.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tacit::plan {
namespace {

Delta OneMillionth() { return Delta(1, 1'000'000); }

TEST(Threshold, KeepsALaplaceGroupOfOneBelowDelta) {
  for (const int scale : {1, 2, 5, 40}) {
    const auto noise = noise::DiscreteLaplace::WithScale(Rational(scale));
    ASSERT_TRUE(noise.ok());
    const Int128 threshold =
        ThresholdUp(*noise, {.units_moved = 1, .groups = 1, .delta = OneMillionth()});
    // The exact tail of the noise at threshold - 1, and how little smaller would do.
    const double a = std::exp(-1.0 / scale);
    const auto tail = [&](double t) { return std::pow(a, t) / (1 + a); };
    EXPECT_LE(tail(static_cast<double>(threshold) - 1), 1e-6);
    EXPECT_GT(tail(static_cast<double>(threshold) - 3 - scale), 1e-6);
  }
}

TEST(Threshold, KeepsAGaussianGroupOfOneBelowDelta) {
  const auto noise = noise::DiscreteGaussian::WithSigmaSquared(Rational(9));
  ASSERT_TRUE(noise.ok());
  const Int128 threshold =
      ThresholdUp(*noise, {.units_moved = 1, .groups = 1, .delta = OneMillionth()});
  double tail = 0;
  double all = 0;
  for (int x = -200; x <= 200; ++x) {
    const double p = std::exp(-x * x / 18.0);
    all += p;
    if (x >= static_cast<double>(threshold) - 1) tail += p;
  }
  EXPECT_LE(tail / all, 1e-6);
}

TEST(Threshold, WithholdsPeopleWhoLeaveTogetherEvenWithoutNoise) {
  const auto noise = noise::DiscreteLaplace::WithScale(Rational(1, 1'000'000'000));
  ASSERT_TRUE(noise.ok());
  EXPECT_EQ(ThresholdUp(*noise, {.units_moved = 1, .groups = 1, .delta = OneMillionth()}), 2);
  EXPECT_EQ(ThresholdUp(*noise, {.units_moved = 4, .groups = 4, .delta = OneMillionth()}), 5);
}

TEST(Threshold, GrowsWithTheGroupsThatPeopleAreIn) {
  const auto noise = noise::DiscreteLaplace::WithScale(Rational(10));
  ASSERT_TRUE(noise.ok());
  const auto at = [&](int groups) {
    return ThresholdUp(*noise,
                       {.units_moved = 1, .groups = Integer(groups), .delta = OneMillionth()});
  };
  EXPECT_LT(at(1), at(10));
  EXPECT_LT(at(10), at(100));
}

}  // namespace
}  // namespace tacit::plan
