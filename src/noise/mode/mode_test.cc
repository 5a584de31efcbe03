#include "noise/mode/mode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/testing/tape_entropy.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

ModeSelection MakeSelection(const char* epsilon, size_t values, bool pure = false) {
  return ModeSelection::Make({.values = values,
                              .rows_changed = 2,
                              .epsilon = Epsilon(ParseRational(epsilon).value()),
                              .pure = pure})
      .value();
}

TEST(Mode, AtAHugePriceItIsTheMostFrequentValue) {
  SeededEntropy entropy(1);
  for (const bool pure : {false, true}) {
    EXPECT_EQ(MakeSelection("1e9", 4, pure).Apply({3, 7, 6, 0}, entropy), 1u);
    const uint64_t most = std::numeric_limits<uint64_t>::max();
    EXPECT_EQ(MakeSelection("1e9", 3, pure).Apply({0, most, 5}, entropy), 1u);
  }
}

// Its chances are permute_and_flip_test's: here, that it is the one that is drawn and charged.
TEST(Mode, ChargedByEpsilonItLosesLessThanByItsRange) {
  SeededEntropy entropy(testing::TestSeed());
  const std::vector<uint64_t> counts = {100, 96, 95, 94, 93, 92, 90, 88, 80, 60};
  const ModeSelection pure = MakeSelection("1", 10, true);
  const ModeSelection bounded = MakeSelection("1", 10);
  uint64_t lost_pure = 0;
  uint64_t lost_bounded = 0;
  for (int i = 0; i < 20'000; ++i) {
    lost_pure += 100 - counts[pure.Apply(counts, entropy)];
    lost_bounded += 100 - counts[bounded.Apply(counts, entropy)];
  }
  EXPECT_LT(static_cast<double>(lost_pure), 0.8 * static_cast<double>(lost_bounded));
  EXPECT_LT(pure.ErrorAt95(), bounded.ErrorAt95());
  EXPECT_EQ(pure.Name(), "permute_and_flip");
  EXPECT_EQ(std::get<accounting::PureEvent>(pure.event()).epsilon.value, 1);
  EXPECT_EQ(pure.ScaleUp(), bounded.ScaleUp());
}

TEST(Mode, ChoosesWithTheExactChancesAndABiasedTwinDoesNot) {
  SeededEntropy entropy(testing::TestSeed());
  const std::vector<uint64_t> counts = {9, 4, 12, 0, 7};
  const ModeSelection selection = MakeSelection("0.7", 5);
  const ModeSelection twin = MakeSelection("0.75", 5);
  const int count = testing::IsLongRun() ? 50'000'000 : 400'000;
  testing::Histogram fair(0, 4);
  testing::Histogram biased(0, 4);
  for (int i = 0; i < count; ++i) {
    fair.Add(static_cast<int64_t>(selection.Apply(counts, entropy)));
    biased.Add(static_cast<int64_t>(twin.Apply(counts, entropy)));
  }
  double total = 0;
  const auto weight = [&](size_t i) { return std::exp(0.7 * static_cast<double>(counts[i]) / 2); };
  for (size_t i = 0; i < 5; ++i) total += weight(i);
  const auto chance = [&](int64_t i) { return weight(static_cast<size_t>(i)) / total; };
  EXPECT_LT(fair.Deviation(chance, 0, 0), testing::kAlarm);
  EXPECT_GT(biased.Deviation(chance, 0, 0), testing::kAlarm);
}

// Exactly the price where all rows that may change leave one value, for another or for none; half
// of it where they are shared among two. A rate that is any larger breaks the first.
TEST(Mode, WhatRowsChangeIsNeverMoreThanThePrice) {
  const ModeSelection selection = MakeSelection("0.7", 3);
  const double rate = 1 / selection.ScaleUp().get_d();
  const auto largest_log_ratio = [&](const std::vector<double>& one,
                                     const std::vector<double>& other) {
    const auto total = [&](const std::vector<double>& counts) {
      double sum = 0;
      for (const double count : counts) sum += std::exp(rate * count);
      return sum;
    };
    double largest = 0;
    for (size_t i = 0; i < one.size(); ++i) {
      const double ratio = rate * (one[i] - other[i]) - std::log(total(one) / total(other));
      largest = std::max(largest, std::abs(ratio));
    }
    return largest;
  };
  // Two rows change, as MakeSelection says.
  const std::vector<std::vector<double>> others = {{2, 0, 0},  {0, 2, 0},  {1, 1, 0},  {1, -1, 0},
                                                   {-2, 0, 0}, {-1, 0, 1}, {0, -1, -1}};
  double worst = 0;
  for (const double crowd : {5.0, 50.0, 500.0}) {
    const std::vector<double> counts = {10, crowd, 5};
    for (const std::vector<double>& change : others) {
      std::vector<double> changed = counts;
      for (size_t i = 0; i < counts.size(); ++i) changed[i] += change[i];
      worst = std::max(worst, largest_log_ratio(counts, changed));
    }
  }
  EXPECT_LE(worst, 0.7 + 1e-12);
  EXPECT_GT(worst, 0.69);
}

TEST(Mode, AnEmptyTableGivesOneOfTheValues) {
  SeededEntropy entropy(2);
  EXPECT_LT(MakeSelection("1", 4).Apply({0, 0, 0, 0}, entropy), 4u);
}

TEST(Mode, RefusesAnEmptyListAndNoRows) {
  EXPECT_FALSE(
      ModeSelection::Make({.values = 0, .rows_changed = 1, .epsilon = Epsilon(1, 1)}).ok());
  EXPECT_FALSE(
      ModeSelection::Make({.values = 2, .rows_changed = 0, .epsilon = Epsilon(1, 1)}).ok());
}

}  // namespace
}  // namespace tacit::noise
