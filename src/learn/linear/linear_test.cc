#include "learn/linear/linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tacit::learn {
namespace {

// Rows of y = 20 + 0.3 x1 - 5 x2 + noise, x1 in [0, 100], x2 true or false, y in [-50, 150].
const std::vector<Column>& TestColumns() {
  static const std::vector<Column> columns = {
      {.name = "y", .is_boolean = false, .low = -50, .high = 150},
      {.name = "x1", .is_boolean = false, .low = 0, .high = 100},
      {.name = "x2", .is_boolean = true}};
  return columns;
}
constexpr double kTrue[] = {20, 0.3, -5};
constexpr double kSpread = 12;

class Sampler {
 public:
  double Uniform() { return std::uniform_real_distribution<double>(0, 1)(bits_); }
  double Normal() { return std::normal_distribution<double>(0, 1)(bits_); }

  std::vector<double> Row() {
    const double x1 = 40 + 15 * Normal();
    const double x2 = Uniform() < 0.3 ? 1 : 0;
    return {kTrue[0] + kTrue[1] * x1 + kTrue[2] * x2 + kSpread * Normal(), x1, x2};
  }

 private:
  std::mt19937_64 bits_{20261119};
};

Moments MomentsOf(const std::vector<std::vector<double>>& rows) {
  const Pairs pairs(TestColumns());
  Moments moments{.columns = TestColumns(),
                  .values = std::vector<double>(pairs.asked().size(), 0.0),
                  .variances = std::vector<double>(pairs.asked().size(), 0.0)};
  for (const std::vector<double>& row : rows) {
    std::vector<double> terms = {1};
    for (size_t i = 0; i < row.size(); ++i) {
      const Column& column = TestColumns()[i];
      terms.push_back((row[i] - column.Middle()) / column.Half());
    }
    for (size_t k = 0; k < moments.values.size(); ++k) {
      moments.values[k] += terms[pairs.asked()[k].first] * terms[pairs.asked()[k].second];
    }
  }
  return moments;
}

std::vector<std::vector<double>> SampleRows(size_t count, Sampler& sampler) {
  std::vector<std::vector<double>> rows;
  for (size_t i = 0; i < count; ++i) rows.push_back(sampler.Row());
  return rows;
}

TEST(FitLinear, FindsALineExactly) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 50; ++i) {
    const double x1 = i;
    const double x2 = i % 3 == 0 ? 1 : 0;
    rows.push_back({kTrue[0] + kTrue[1] * x1 + kTrue[2] * x2, x1, x2});
  }
  const LinearFit fit = FitLinear(MomentsOf(rows), 0, {1, 2});
  ASSERT_EQ(fit.trust, Trust::kFull);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(fit.coefficients[i], kTrue[i], 1e-9);
    EXPECT_EQ(NoiseError(fit, i), 0);
    EXPECT_NEAR(SamplingError(fit, i), 0, 1e-6);
  }
  EXPECT_NEAR(*fit.r_squared, 1, 1e-9);
  EXPECT_EQ(fit.ridge, 0);
}

TEST(FitLinear, HasTheSamplingErrorsOfEveryLine) {
  // One feature: the deviation of its coefficient is s / sqrt(sum of (x - mean)^2).
  Sampler sampler;
  const auto rows = SampleRows(500, sampler);
  const LinearFit fit = FitLinear(MomentsOf(rows), 0, {1});
  double mean = 0;
  for (const auto& row : rows) mean += row[1] / 500;
  double squares = 0;
  double left = 0;
  for (const auto& row : rows) {
    squares += (row[1] - mean) * (row[1] - mean);
    const double off = row[0] - fit.coefficients[0] - fit.coefficients[1] * row[1];
    left += off * off;
  }
  EXPECT_NEAR(SamplingError(fit, 1), std::sqrt(left / 498 / squares), 1e-9);
  EXPECT_NEAR(fit.residual_variance, left / 498, 1e-6);
}

TEST(FitLinear, IsSilentWhereTheRowsAreLostInNoise) {
  Sampler sampler;
  Moments moments = MomentsOf(SampleRows(20, sampler));
  moments.variances.assign(moments.values.size(), 100);
  const LinearFit fit = FitLinear(moments, 0, {1, 2});
  EXPECT_EQ(fit.trust, Trust::kNothing);
  EXPECT_TRUE(fit.coefficients.empty());
}

TEST(FitLinear, GivesNoIntervalWhereNoiseHidesTheFeatures) {
  Sampler sampler;
  Moments moments = MomentsOf(SampleRows(2000, sampler));
  moments.variances.assign(moments.values.size(), 150.0 * 150.0);
  const LinearFit fit = FitLinear(moments, 0, {1, 2});
  EXPECT_EQ(fit.trust, Trust::kRidge);
  EXPECT_GT(fit.ridge, 0);
  EXPECT_EQ(fit.coefficients.size(), 3u);
  EXPECT_TRUE(fit.noise.empty());
}

TEST(FitLinear, TakesAColumnThatNeverVariesForHidden) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 100; ++i) rows.push_back({double(i % 7), 40, i % 2 == 0 ? 1.0 : 0.0});
  const LinearFit fit = FitLinear(MomentsOf(rows), 0, {1, 2});
  EXPECT_EQ(fit.trust, Trust::kRidge);
  for (const double coefficient : fit.coefficients) EXPECT_TRUE(std::isfinite(coefficient));
}

// Contradictory moments, as noise can make them, give numbers and no failure.
TEST(FitLinear, SurvivesWhatNoiseCanMake) {
  std::mt19937_64 bits(7);
  std::normal_distribution<double> noise(0, 1);
  for (int run = 0; run < 2000; ++run) {
    Moments moments = MomentsOf({});
    for (double& value : moments.values) value = 1000 * noise(bits);
    moments.variances.assign(moments.values.size(), std::pow(10.0, run % 8));
    const LinearFit fit = FitLinear(moments, run % 3, {(run + 1u) % 3, (run + 2u) % 3});
    for (const double coefficient : fit.coefficients) ASSERT_TRUE(std::isfinite(coefficient));
    if (fit.trust != Trust::kFull) continue;
    for (size_t i = 0; i < 3; ++i) {
      ASSERT_TRUE(std::isfinite(MarginOf(fit, i)));
      ASSERT_GT(NoiseError(fit, i), 0);
    }
  }
}

// 2,000 samples with noise of a cube's kind: uniform times a gamma. What a right interval misses in
// more than 7 or less than 3 of 100 has a chance below one in 10,000.
struct Covered {
  double truth = 0;
  double exact = 0;
};
std::vector<Covered> CoverageAt(double deviation, double stated) {
  constexpr int kRuns = 2000;
  Sampler sampler;
  std::mt19937_64 bits(11);
  std::gamma_distribution<double> radius(10, 1);
  std::uniform_real_distribution<double> place(-1, 1);
  const double unit = deviation / std::sqrt(10.0 * 11 / 3);
  std::vector<Covered> covered(3);
  for (int run = 0; run < kRuns; ++run) {
    Moments moments = MomentsOf(SampleRows(600, sampler));
    const LinearFit exact = FitLinear(moments, 0, {1, 2});
    const double r = radius(bits) * unit;
    for (double& value : moments.values) value += r * place(bits);
    moments.variances.assign(moments.values.size(), stated * stated);
    const LinearFit fit = FitLinear(moments, 0, {1, 2});
    EXPECT_EQ(fit.trust, Trust::kFull);
    if (fit.trust != Trust::kFull) return covered;
    for (size_t i = 0; i < 3; ++i) {
      const double value = fit.coefficients[i];
      covered[i].truth += std::abs(value - kTrue[i]) <= MarginOf(fit, i) ? 1.0 / kRuns : 0;
      const double noise = kNormalAt95 * NoiseError(fit, i);
      covered[i].exact += std::abs(value - exact.coefficients[i]) <= noise ? 1.0 / kRuns : 0;
    }
  }
  return covered;
}

TEST(FitLinear, IntervalsCoverWhatTheySay) {
  for (const double deviation : {1.0, 3.0}) {
    const std::vector<Covered> covered = CoverageAt(deviation, deviation);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_GT(covered[i].truth, 0.93) << deviation << " " << i;
      EXPECT_LT(covered[i].truth, 0.97) << deviation << " " << i;
      EXPECT_GT(covered[i].exact, 0.93) << deviation << " " << i;
      EXPECT_LT(covered[i].exact, 0.97) << deviation << " " << i;
    }
  }
}

TEST(FitLinear, IntervalsOfUnderstatedNoiseAreFoundOut) {
  const std::vector<Covered> covered = CoverageAt(3, 1.5);
  EXPECT_LT(covered[1].exact, 0.93);
}

}  // namespace
}  // namespace tacit::learn
