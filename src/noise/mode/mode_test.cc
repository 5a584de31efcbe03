#include "noise/mode/mode.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/testing/tape_entropy.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

ModeSelection MakeSelection(const char* epsilon, size_t values) {
  return ModeSelection::Make({.values = values,
                              .rows_changed = 2,
                              .epsilon = Epsilon(ParseRational(epsilon).value())})
      .value();
}

TEST(Mode, AtAHugePriceItIsTheMostFrequentValue) {
  SeededEntropy entropy(1);
  EXPECT_EQ(MakeSelection("1e9", 4).Apply({3, 7, 6, 0}, entropy), 1u);
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(MakeSelection("1e9", 3).Apply({0, most, 5}, entropy), 1u);
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
  const auto weight = [&](size_t i) { return std::exp(0.7 * static_cast<double>(counts[i]) / 4); };
  for (size_t i = 0; i < 5; ++i) total += weight(i);
  const auto chance = [&](int64_t i) { return weight(static_cast<size_t>(i)) / total; };
  EXPECT_LT(fair.Deviation(chance, 0, 0), testing::kAlarm);
  EXPECT_GT(biased.Deviation(chance, 0, 0), testing::kAlarm);
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
