#include "noise/permute_and_flip/permute_and_flip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/testing/tape_entropy.h"
#include "noise/exponential_mechanism/exponential_mechanism.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

PermuteAndFlip MakeFlip(const char* epsilon, int spread) {
  return PermuteAndFlip::Make(
             {.spread = spread, .epsilon = Epsilon(ParseRational(epsilon).value())})
      .value();
}

// By all orders in which candidates can be gone through.
std::vector<double> FlipChances(const std::vector<int64_t>& utilities, double rate) {
  const int64_t best = *std::max_element(utilities.begin(), utilities.end());
  std::vector<size_t> order(utilities.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<double> chances(utilities.size(), 0.0);
  double orders = 0;
  do {
    double so_far = 1;
    for (const size_t i : order) {
      const double taken = std::exp(-rate * static_cast<double>(best - utilities[i]));
      chances[i] += so_far * taken;
      so_far *= 1 - taken;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& chance : chances) chance /= orders;
  return chances;
}

TEST(PermuteAndFlip, HasTheExactChancesAndABiasedTwinHasNot) {
  SeededEntropy entropy(testing::TestSeed());
  const std::vector<int64_t> utilities = {9, 4, 12, 0, 11};
  const PermuteAndFlip choice = MakeFlip("0.7", 2);
  const PermuteAndFlip twin = MakeFlip("0.75", 2);
  const std::vector<double> chances = FlipChances(utilities, 0.35);
  testing::Histogram fair(0, 4);
  testing::Histogram biased(0, 4);
  const int count = testing::IsLongRun() ? 20'000'000 : 400'000;
  for (int i = 0; i < count; ++i) {
    fair.Add(static_cast<int64_t>(choice.Apply(utilities, entropy)));
    biased.Add(static_cast<int64_t>(twin.Apply(utilities, entropy)));
  }
  const auto chance = [&](int64_t i) { return chances[static_cast<size_t>(i)]; };
  EXPECT_LT(fair.Deviation(chance, 0, 0), testing::kAlarm);
  EXPECT_GT(biased.Deviation(chance, 0, 0), testing::kAlarm);
}

TEST(PermuteAndFlip, WhatASpreadChangesIsNeverMoreThanThePrice) {
  double worst = 0;
  double beyond = 0;
  const std::vector<std::vector<int64_t>> worlds = {{0, 0, 0}, {7, 0, 0}, {0, 5, 9}, {40, 1, 1}};
  for (const std::vector<int64_t>& world : worlds) {
    const std::vector<double> here = FlipChances(world, 0.35);
    for (int moved = 0; moved < 64; ++moved) {
      std::vector<int64_t> there = world;
      int most = 0;
      for (int i = 0, rest = moved; i < 3; ++i, rest /= 4) {
        there[static_cast<size_t>(i)] += rest % 4;
        most = std::max(most, rest % 4);
      }
      const std::vector<double> chances = FlipChances(there, 0.35);
      for (size_t i = 0; i < 3; ++i) {
        const double ratio = std::abs(std::log(here[i] / chances[i]));
        (most <= 2 ? worst : beyond) = std::max(most <= 2 ? worst : beyond, ratio);
      }
    }
  }
  EXPECT_LE(worst, 0.7 + 1e-9);
  EXPECT_GT(worst, 0.69);
  EXPECT_GT(beyond, 0.7);  // the test would see a change that is larger than declared
}

TEST(PermuteAndFlip, LosesLessThanTheExponentialMechanism) {
  SeededEntropy entropy(testing::TestSeed());
  const std::vector<int64_t> utilities = {100, 96, 95, 94, 93, 92, 90, 88, 80, 60};
  const PermuteAndFlip choice = MakeFlip("0.5", 1);
  const ExponentialMechanism other =
      ExponentialMechanism::Make({.spread = 1, .epsilon = Epsilon(1, 2)}).value();
  std::vector<ExponentialMechanism::Candidate> candidates;
  for (const int64_t utility : utilities) candidates.push_back({.utility = utility});
  double lost = 0;
  double lost_by_other = 0;
  for (int i = 0; i < 20'000; ++i) {
    lost += static_cast<double>(100 - utilities[choice.Apply(utilities, entropy)]);
    lost_by_other += static_cast<double>(100 - utilities[other.Apply(candidates, entropy)]);
  }
  EXPECT_LT(lost, 0.8 * lost_by_other);
}

TEST(PermuteAndFlip, TheMarginHolds) {
  SeededEntropy entropy(testing::TestSeed());
  const PermuteAndFlip choice = MakeFlip("0.5", 1);
  const auto margin = static_cast<int64_t>(choice.UtilityLossAt95(50).get_si());
  std::vector<int64_t> utilities(50, 1000 - margin - 1);
  utilities[17] = 1000;
  int wrong = 0;
  for (int i = 0; i < 4000; ++i) wrong += choice.Apply(utilities, entropy) == 17 ? 0 : 1;
  // 5 % are 200; six standard deviations more are 283.
  EXPECT_LT(wrong, 283);
  EXPECT_GT(wrong, 0);
}

TEST(PermuteAndFlip, ExtremeUtilitiesAndSingleCandidates) {
  SeededEntropy entropy(3);
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(MakeFlip("1e-9", 1).Apply({kLeast, kMost, 0}, entropy), 1u);
  EXPECT_EQ(MakeFlip("1", 1).Apply({kLeast}, entropy), 0u);
  EXPECT_EQ(MakeFlip("1", 1).UtilityLossAt95(1), 0);
  EXPECT_EQ(MakeFlip("1e300", 1).Apply({3, 4, 2}, entropy), 1u);
  EXPECT_LT(MakeFlip("1e-300", 1).Apply({3, 4, 2}, entropy), 3u);
}

TEST(PermuteAndFlip, RefusesASpreadOfNothing) {
  EXPECT_FALSE(PermuteAndFlip::Make({.spread = 0, .epsilon = Epsilon(1, 1)}).ok());
  EXPECT_FALSE(PermuteAndFlip::Make({.spread = 1, .epsilon = Epsilon(0, 1)}).ok());
}

}  // namespace
}  // namespace tacit::noise
