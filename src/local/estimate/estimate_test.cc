#include "local/estimate/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/testing/tape_entropy.h"
#include "local/randomize/randomizer.h"

namespace tacit::local {
namespace {

using testing::SeededEntropy;

double RareVariance(Mechanism mechanism, uint32_t values, const Rational& epsilon) {
  return NoiseVariance(MakeDesign({mechanism, values, Epsilon(epsilon)}).value(), 0);
}

TEST(Variance, OfRareValuesIsThePublishedOne) {
  // (k - 2 + e) / (e - 1)^2, sqrt(e) / (sqrt(e) - 1)^2, 4 e / (e - 1)^2, with e = exp(epsilon).
  EXPECT_NEAR(RareVariance(Mechanism::kKary, 16, Rational(1, 2)), 37.18455, 1e-5);
  EXPECT_NEAR(RareVariance(Mechanism::kKary, 2, 1), 0.9206736, 1e-7);
  EXPECT_NEAR(RareVariance(Mechanism::kWarner, 2, 1), 0.9206736, 1e-7);
  EXPECT_NEAR(RareVariance(Mechanism::kKary, 128, 1), 43.59648, 1e-5);
  EXPECT_NEAR(RareVariance(Mechanism::kSymmetric, 16, Rational(1, 2)), 15.91693, 1e-5);
  EXPECT_NEAR(RareVariance(Mechanism::kSymmetric, 128, 2), 0.9206736, 1e-7);
  EXPECT_NEAR(RareVariance(Mechanism::kOptimal, 16, Rational(1, 2)), 15.67079, 1e-5);
  EXPECT_NEAR(RareVariance(Mechanism::kOptimal, 128, 1), 3.682694, 1e-6);
  EXPECT_NEAR(RareVariance(Mechanism::kOptimal, 1024, 4), 0.0760218, 1e-7);
  // Hashing has whole numbers of buckets, and only those of fields: within 2 % of the ideal.
  for (const auto& [epsilon, ideal] : {std::pair{Rational(1, 2), 15.67079},
                                       {Rational(1), 3.682694},
                                       {Rational(2), 0.7240617},
                                       {Rational(4), 0.0760218}}) {
    const double variance = RareVariance(Mechanism::kHashing, 1024, epsilon);
    EXPECT_GE(variance, ideal * (1 - 1e-6));
    EXPECT_LE(variance, ideal * 1.02);
  }
}

TEST(Variance, OfTwoFairCoinsIsTheTextbooks) {
  const Design design = MakeWarner(Rational(1, 2)).value();
  for (const double p : {0.0, 0.1, 0.5, 1.0}) {
    EXPECT_DOUBLE_EQ(SampledVariance(design, p), p * (1 - p) + 0.75);
    EXPECT_DOUBLE_EQ(NoiseVariance(design, p), 0.75);
  }
}

TEST(Estimate, OfTheExpectedCountsIsTheTruth) {
  // A fair coin decides on the truth among 4 values, which leaves 1/6 for each other; these 840
  // people make every expected count whole.
  const Design design{.mechanism = Mechanism::kKary, .values = 4, .keep = uint64_t{1} << 63};
  Tally tally(design);
  const std::array<int, 4> truth = {420, 240, 0, 180};
  for (uint32_t v = 0; v < 4; ++v) {
    const int expected = truth[v] / 2 + (840 - truth[v]) / 6;
    for (int i = 0; i < expected; ++i) tally.AddValue(v);
  }
  ASSERT_EQ(tally.people(), 840u);
  const std::vector<Frequency> frequencies = EstimateFrequencies(tally);
  for (uint32_t v = 0; v < 4; ++v) EXPECT_NEAR(frequencies[v].estimate, truth[v] / 840.0, 1e-12);
}

// Simulates collections of 2,000 people and counts how often intervals cover the truth and whether
// the spread is the claimed one.
void ExpectCalibrated(Mechanism mechanism) {
  constexpr uint32_t kValues = 6;
  constexpr int kRounds = 400;
  constexpr uint32_t kPeople = 2'000;
  const Design design = MakeDesign({mechanism, kValues, Epsilon(1, 1)}).value();
  const Randomizer randomizer(design);
  SeededEntropy entropy(20260730);
  const std::array<double, kValues> truth = {0.5, 0.25, 0.15, 0.1, 0, 0};
  std::array<double, kValues> sum{};
  std::array<double, kValues> squares{};
  std::array<int, kValues> covered{};
  for (int round = 0; round < kRounds; ++round) {
    Tally tally(design);
    Report report;
    for (uint32_t v = 0; v < kValues; ++v) {
      const auto holders = static_cast<uint32_t>(truth[v] * kPeople + 0.5);
      for (uint32_t i = 0; i < holders; ++i) {
        randomizer.Randomize(v, entropy, report);
        ASSERT_TRUE(tally.Add(report).ok());
      }
    }
    const std::vector<Frequency> frequencies = EstimateFrequencies(tally);
    for (uint32_t v = 0; v < kValues; ++v) {
      const double error = frequencies[v].estimate - truth[v];
      sum[v] += error;
      squares[v] += error * error;
      covered[v] += frequencies[v].answered.low <= truth[v] + 1e-12 &&
                    truth[v] <= frequencies[v].answered.high + 1e-12;
    }
  }
  for (uint32_t v = 0; v < kValues; ++v) {
    // Five standard deviations each: with a fixed seed this cannot fail by chance twice.
    const double variance = NoiseVariance(design, truth[v]) / kPeople;
    EXPECT_LT(std::abs(sum[v] / kRounds), 5 * std::sqrt(variance / kRounds)) << NameOf(mechanism);
    EXPECT_NEAR(squares[v] / kRounds / variance, 1, 5 * std::sqrt(2.0 / kRounds));
    EXPECT_NEAR(covered[v] / double{kRounds}, 0.95, 5 * std::sqrt(0.95 * 0.05 / kRounds));
  }
}

// Nobody reported the value: far below what even a frequency of zero would give.
TEST(Estimate, AnIntervalIsNeverAPoint) {
  Tally tally(MakeDesign({Mechanism::kKary, 3, Epsilon(1, 1)}).value());
  for (uint32_t i = 0; i < 1000; ++i) tally.AddValue(i % 2);
  for (const Frequency& f : EstimateFrequencies(tally)) {
    EXPECT_LT(f.answered.low, f.answered.high);
    EXPECT_LT(f.population.low, f.population.high);
  }
}

TEST(Estimate, KaryIntervalsCoverAsOftenAsTheySay) { ExpectCalibrated(Mechanism::kKary); }
TEST(Estimate, SymmetricIntervalsCoverAsOftenAsTheySay) { ExpectCalibrated(Mechanism::kSymmetric); }
TEST(Estimate, OptimalIntervalsCoverAsOftenAsTheySay) { ExpectCalibrated(Mechanism::kOptimal); }
TEST(Estimate, HashingIntervalsCoverAsOftenAsTheySay) { ExpectCalibrated(Mechanism::kHashing); }

TEST(Estimate, WithoutPeopleKnowsNothing) {
  const Tally tally(MakeDesign({Mechanism::kKary, 3, Epsilon(1, 1)}).value());
  for (const Frequency& frequency : EstimateFrequencies(tally)) {
    EXPECT_EQ(frequency.estimate, 0);
    EXPECT_EQ(frequency.answered.low, 0);
    EXPECT_EQ(frequency.answered.high, 1);
  }
}

TEST(Projection, IsTheNearestValidPoint) {
  SeededEntropy random(5);
  const auto unit = [&] { return static_cast<double>(random.NextWord() >> 11) * 0x1p-53; };
  for (int round = 0; round < 200; ++round) {
    std::vector<double> point(5);
    for (double& x : point) x = unit() * 1.6 - 0.6;
    const std::vector<double> projected = ProjectOntoSimplex(point);
    EXPECT_NEAR(std::accumulate(projected.begin(), projected.end(), 0.0), 1, 1e-12);
    const auto distance = [&](const std::vector<double>& to) {
      double sum = 0;
      for (size_t i = 0; i < 5; ++i) sum += (to[i] - point[i]) * (to[i] - point[i]);
      return sum;
    };
    for (int other = 0; other < 200; ++other) {
      std::vector<double> valid(5);
      for (double& x : valid) x = -std::log(1 - unit());
      const double total = std::accumulate(valid.begin(), valid.end(), 0.0);
      for (double& x : valid) x /= total;
      EXPECT_LE(distance(projected), distance(valid) + 1e-12);
    }
    for (const double x : projected) EXPECT_GE(x, 0);
  }
  const std::vector<double> valid = {0.2, 0.3, 0.5};
  EXPECT_EQ(ProjectOntoSimplex(valid).size(), 3u);
  EXPECT_NEAR(ProjectOntoSimplex(valid)[2], 0.5, 1e-15);
}

}  // namespace
}  // namespace tacit::local
