#include "noise/above_threshold/above_threshold.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/testing/tape_entropy.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

AboveThreshold MakeWatch(const char* epsilon, int sensitivity, bool together, size_t numbers) {
  return AboveThreshold::Make({.sensitivity = sensitivity,
                               .moves_together = together,
                               .numbers = numbers,
                               .epsilon = Epsilon(ParseRational(epsilon).value())})
      .value();
}

double NoiseChance(int64_t x, double scale) {
  const double q = std::exp(-1 / scale);
  return (1 - q) / (1 + q) * std::pow(q, std::abs(static_cast<double>(x)));
}

// P(X >= x), for any x.
double NoiseReaches(int64_t x, double scale) {
  const double q = std::exp(-1 / scale);
  return x >= 1 ? std::pow(q, static_cast<double>(x)) / (1 + q)
                : 1 - std::pow(q, static_cast<double>(1 - x)) / (1 + q);
}

// The chance of every answer: each number, and none of them.
std::vector<double> WatchAnswers(const std::vector<int64_t>& numbers, int64_t threshold,
                                 double threshold_scale, double number_scale) {
  std::vector<double> chances(numbers.size() + 1, 0.0);
  const auto far = static_cast<int64_t>(60 * threshold_scale) + 1;
  for (int64_t r = -far; r <= far; ++r) {
    double so_far = NoiseChance(r, threshold_scale);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const double alarms = NoiseReaches(threshold + r - numbers[i], number_scale);
      chances[i] += so_far * alarms;
      so_far *= 1 - alarms;
    }
    chances.back() += so_far;
  }
  return chances;
}

double LargestLogRatio(const std::vector<double>& one, const std::vector<double>& other) {
  double largest = 0;
  for (size_t i = 0; i < one.size(); ++i) {
    largest = std::max(largest, std::abs(std::log(one[i] / other[i])));
  }
  return largest;
}

// Numbers below, at and above the threshold, in several orders.
const std::vector<std::vector<int64_t>> kWatchedWorlds = {
    {0, 0, 0, 0},  {5, 5, 5, 5},     {-4, 12, 0, 3}, {12, -4, 3, 0},
    {-9, 2, 2, 9}, {-30, -30, 4, 1}, {30, 0, 0, 0},  {-6, -6, -6, -6}};

TEST(AboveThreshold, WhatCountsDoTogetherIsWithinThePrice) {
  const AboveThreshold mechanism = MakeWatch("0.8", 2, true, 4);
  const double threshold_scale = mechanism.threshold_scale().get_d();
  const double number_scale = mechanism.number_scale().get_d();
  double worst = 0;
  double worst_apart = 0;
  for (const std::vector<int64_t>& world : kWatchedWorlds) {
    const std::vector<double> here = WatchAnswers(world, 1, threshold_scale, number_scale);
    for (int moved = 0; moved < 81; ++moved) {
      std::vector<int64_t> up = world;
      std::vector<int64_t> apart = world;
      for (int i = 0, rest = moved; i < 4; ++i, rest /= 3) {
        up[static_cast<size_t>(i)] += rest % 3;
        apart[static_cast<size_t>(i)] += (rest % 3 - 1) * 2;
      }
      worst = std::max(worst,
                       LargestLogRatio(here, WatchAnswers(up, 1, threshold_scale, number_scale)));
      worst_apart =
          std::max(worst_apart,
                   LargestLogRatio(here, WatchAnswers(apart, 1, threshold_scale, number_scale)));
    }
  }
  EXPECT_LE(worst, 0.8 + 1e-9);
  EXPECT_GT(worst, 0.6);
  // Numbers that move apart need more noise: the same test sees that they do not have it.
  EXPECT_GT(worst_apart, 0.8);
}

TEST(AboveThreshold, WhatMovesApartIsWithinThePrice) {
  const AboveThreshold mechanism = MakeWatch("0.8", 2, false, 4);
  const double threshold_scale = mechanism.threshold_scale().get_d();
  const double number_scale = mechanism.number_scale().get_d();
  double worst = 0;
  for (const std::vector<int64_t>& world : kWatchedWorlds) {
    const std::vector<double> here = WatchAnswers(world, 1, threshold_scale, number_scale);
    for (int moved = 0; moved < 81; ++moved) {
      std::vector<int64_t> apart = world;
      for (int i = 0, rest = moved; i < 4; ++i, rest /= 3) {
        apart[static_cast<size_t>(i)] += (rest % 3 - 1) * 2;
      }
      worst = std::max(
          worst, LargestLogRatio(here, WatchAnswers(apart, 1, threshold_scale, number_scale)));
    }
  }
  EXPECT_LE(worst, 0.8 + 1e-9);
  EXPECT_GT(worst, 0.5);
}

TEST(AboveThreshold, HasTheExactChancesAndATwinWithOtherNoiseHasNot) {
  SeededEntropy entropy(testing::TestSeed());
  const AboveThreshold mechanism = MakeWatch("0.8", 2, true, 4);
  const AboveThreshold twin = MakeWatch("0.9", 2, true, 4);
  const std::vector<int64_t> numbers = {-9, 2, 2, 9};
  const std::vector<Int128> exact(numbers.begin(), numbers.end());
  const std::vector<double> chances = WatchAnswers(numbers, 1, mechanism.threshold_scale().get_d(),
                                                   mechanism.number_scale().get_d());
  testing::Histogram fair(0, 4);
  testing::Histogram biased(0, 4);
  const int count = testing::IsLongRun() ? 20'000'000 : 400'000;
  for (int i = 0; i < count; ++i) {
    fair.Add(static_cast<int64_t>(mechanism.Apply(exact, 1, entropy)));
    biased.Add(static_cast<int64_t>(twin.Apply(exact, 1, entropy)));
  }
  const auto chance = [&](int64_t i) { return chances[static_cast<size_t>(i)]; };
  EXPECT_LT(fair.Deviation(chance, 0, 0), testing::kAlarm);
  EXPECT_GT(biased.Deviation(chance, 0, 0), testing::kAlarm);
}

TEST(AboveThreshold, AThousandNumbersStayWithinTheMargin) {
  SeededEntropy entropy(testing::TestSeed());
  const AboveThreshold mechanism = MakeWatch("1", 1, true, 1000);
  const Int128 margin = SaturateToInt128(mechanism.ErrorAt95());
  EXPECT_LE(margin, 37);  // what a prototype with twice the noise had for 90 %
  std::vector<Int128> numbers(1000, 500 - margin - 1);
  numbers[700] = 500 + margin;
  int wrong = 0;
  for (int i = 0; i < 2000; ++i) wrong += mechanism.Apply(numbers, 500, entropy) == 700 ? 0 : 1;
  // 5 % are 100; six standard deviations more are 160.
  EXPECT_LT(wrong, 160);
  EXPECT_GT(wrong, 0);
}

TEST(AboveThreshold, EndsOfTheRangeAreNumbersLikeOthers) {
  SeededEntropy entropy(5);
  const AboveThreshold mechanism = MakeWatch("1", 1, false, 2);
  EXPECT_EQ(mechanism.Apply({kInt128Min, kInt128Max}, 0, entropy), 1u);
  EXPECT_EQ(mechanism.Apply({kInt128Min, kInt128Min}, kInt128Max, entropy), 2u);
  EXPECT_EQ(mechanism.Apply({kInt128Max, 0}, kInt128Min, entropy), 0u);
  EXPECT_EQ(mechanism.Apply({}, 0, entropy), 0u);
}

TEST(AboveThreshold, RefusesWhatHasNoProof) {
  const Epsilon one(1, 1);
  EXPECT_FALSE(AboveThreshold::Make({.sensitivity = 0, .numbers = 1, .epsilon = one}).ok());
  EXPECT_FALSE(AboveThreshold::Make({.sensitivity = 1, .numbers = 0, .epsilon = one}).ok());
  EXPECT_FALSE(
      AboveThreshold::Make({.sensitivity = 1, .numbers = 1, .epsilon = Epsilon(0, 1)}).ok());
}

}  // namespace
}  // namespace tacit::noise
