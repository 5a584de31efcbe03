#include "plan/above/average_margin.h"

#include <gtest/gtest.h>

#include <cmath>

#include "noise/cube/cube_error_estimate.h"
#include "noise/error_estimate.h"

namespace tacit::plan {
namespace {

std::vector<double> ErrorsOfScale(int scale) {
  std::vector<double> errors;
  for (const Integer& error : noise::LaplaceErrors(Rational(scale), kDraws)) {
    errors.push_back(error.get_d());
  }
  return errors;
}

// Of ages from 0 to 120, centred at 60.
AverageMargin::Average Ages(std::vector<double> of_count, std::vector<double> of_sum) {
  return {.step = 1,
          .centre = 60,
          .low = 0,
          .high = 120,
          .count_errors = std::move(of_count),
          .sum_errors = std::move(of_sum)};
}

TEST(AverageMargin, OfTheSumsNoiseAloneIsItsErrorDividedByTheCount) {
  const AverageMargin margin(Ages(std::vector<double>(kDraws, 0), ErrorsOfScale(1200)));
  const double error = noise::LaplaceErrorAt95(Rational(1200)).get_d();
  EXPECT_NEAR(margin.Of(10'000, 0), error / 10'000, 0.05 * error / 10'000);
  EXPECT_NEAR(margin.Of(10'000, 70'000), error / 10'000, 0.05 * error / 10'000);
}

TEST(AverageMargin, OfTheCountsNoiseGrowsWithTheDistanceFromTheCentre) {
  const AverageMargin margin(Ages(ErrorsOfScale(20), std::vector<double>(kDraws, 0)));
  EXPECT_EQ(margin.Of(10'000, 0), 0);
  const double error = noise::LaplaceErrorAt95(Rational(20)).get_d();
  EXPECT_NEAR(margin.Of(10'000, 300'000), 30 * error / 10'000, 0.06 * 30 * error / 10'000);
}

// Neither noise alone: the square root of both squares, roughly.
TEST(AverageMargin, OfBothNoisesIsMoreThanOfEither) {
  const AverageMargin both(Ages(ErrorsOfScale(20), ErrorsOfScale(1200)));
  const AverageMargin sum(Ages(std::vector<double>(kDraws, 0), ErrorsOfScale(1200)));
  const double ratio = both.Of(10'000, 600'000) / sum.Of(10'000, 600'000);
  EXPECT_GT(ratio, 1.2);
  EXPECT_LT(ratio, 1.5);
}

TEST(AverageMargin, OfAHandfulReachesNoFurtherThanTheBounds) {
  const AverageMargin margin(Ages(ErrorsOfScale(20), ErrorsOfScale(1200)));
  for (const double count : {-40.0, 0.0, 1.0, 5.0}) {
    EXPECT_LE(margin.Of(count, 0), 60);
    EXPECT_GT(margin.Of(count, 0), 50);
  }
}

TEST(AverageMargin, IsTheSameEveryTimeAndAfterItsText) {
  const AverageMargin margin(Ages(ErrorsOfScale(20), ErrorsOfScale(1200)));
  const auto read = AverageMargin::Parse(margin.ToText());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Of(137, 41), margin.Of(137, 41));
  EXPECT_EQ(read->ToText(), margin.ToText());
}

// Where both noises are large together, and the average is far from the centre, their errors
// neither add up nor cancel: as of independent ones of the same sizes, nearly.
TEST(AverageMargin, OfNoisesDrawnTogether) {
  const auto cube =
      noise::CubeNoise::Make({.widths = {1, 60}, .rows = 20, .epsilon = Epsilon(1, 1)});
  ASSERT_TRUE(cube.ok());
  std::vector<double> of_count, of_sum;
  for (int i = 0; i < kDraws; ++i) {
    of_count.push_back((2.0 * i + 1 - kDraws) / kDraws);
    of_sum.push_back(60 * of_count.back());
  }
  AverageMargin::Average average = Ages(of_count, of_sum);
  average.radii = noise::CubeEstimate(*cube).Radii(kDraws);
  const AverageMargin margin(average);
  const double error = noise::CubeEstimate(*cube).ErrorAt95(60).get_d();
  EXPECT_NEAR(margin.Of(10'000, 0), error / 10'000, 0.06 * error / 10'000);
  EXPECT_GT(margin.Of(10'000, 550'000), 1.2 * error / 10'000);
  EXPECT_LT(margin.Of(10'000, 550'000), 1.6 * error / 10'000);
  const auto read = AverageMargin::Parse(margin.ToText());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->Of(137, 41), margin.Of(137, 41));
}

TEST(AverageMargin, OfATextThatIsNoneIsNothing) {
  const std::string text = AverageMargin(Ages(ErrorsOfScale(2), ErrorsOfScale(3))).ToText();
  EXPECT_FALSE(AverageMargin::Parse(""));
  EXPECT_FALSE(AverageMargin::Parse(text + " 1"));
  EXPECT_FALSE(AverageMargin::Parse(text + ";"));
  EXPECT_FALSE(AverageMargin::Parse(text.substr(0, text.rfind(' '))));
}

}  // namespace
}  // namespace tacit::plan
