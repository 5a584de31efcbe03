#include "release/measure/coarse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/testing/tape_entropy.h"
#include "release/measure/pairs.h"

namespace tacit::release {
namespace {

using tacit::testing::SeededEntropy;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(OntoSimplex, TakesNegativeSharesAwayFromAllAlike) {
  EXPECT_THAT(OntoSimplex({0.5, 0.5}), ElementsAre(0.5, 0.5));
  EXPECT_THAT(OntoSimplex({0.9, 0.3, -0.2}),
              ElementsAre(DoubleNear(0.8, 1e-12), DoubleNear(0.2, 1e-12), 0));
  EXPECT_THAT(OntoSimplex({-3, -3}), ElementsAre(0.5, 0.5));
}

TEST(CoarseView, CutsAWideColumnIntoBinsOfEqualMass) {
  NoisyTable histogram{.counts = std::vector<double>(100, 10.0), .variance = 1};
  const View view = CoarseView({.cells = 100, .ordered = true}, histogram);
  EXPECT_EQ(view.cells, 20u);
  std::vector<size_t> sizes(view.cells);
  for (const uint16_t cell : view.cell_of) ++sizes[cell];
  for (const size_t size : sizes) EXPECT_EQ(size, 5u);
}

TEST(CoarseView, MakesFewerBinsWhereNoiseIsLarge) {
  const auto bins = [](double variance) {
    const NoisyTable histogram{.counts = std::vector<double>(100, 10.0), .variance = variance};
    return CoarseView({.cells = 100, .ordered = true}, histogram).cells;
  };
  EXPECT_EQ(bins(100), 11u);
  EXPECT_EQ(bins(1e6), 8u);
  EXPECT_EQ(bins(1e-9), kCoarseCellsMost);
}

TEST(CoarseView, EndsBinsWhereTwentiethsDoAsSoonAsNoiseLets) {
  for (const double variance : {3.0, 1.0, 0.2, 0.05}) {
    const NoisyTable histogram{.counts = std::vector<double>(200, 10.0), .variance = variance};
    const View view = CoarseView({.cells = 200, .ordered = true}, histogram);
    EXPECT_EQ(view.cells % 20, 0u);
    for (size_t end = 10; end < 200; end += 10) {
      EXPECT_NE(view.cell_of[end - 1], view.cell_of[end]) << end << " at " << variance;
    }
  }
}

TEST(CoarseView, EndsABinWhereAConditionBegins) {
  const NoisyTable histogram{.counts = std::vector<double>(100, 10.0), .variance = 1};
  const View view =
      CoarseView({.cells = 100, .ordered = true, .has_null = false, .cuts = {18}}, histogram);
  EXPECT_EQ(view.cells, 21u);
  EXPECT_NE(view.cell_of[17], view.cell_of[18]);
  EXPECT_EQ(view.cell_of[16], view.cell_of[17]);
}

TEST(CoarseView, LeavesAloneWhatHasNoOrder) {
  NoisyTable histogram{.counts = std::vector<double>(100, 10.0), .variance = 1};
  EXPECT_EQ(CoarseView({.cells = 100}, histogram).cells, 100u);
}

TEST(CoarseView, LeavesOutANullThatIsNoiseAndKeepsOneThatIsNot) {
  const ColumnShape shape{.cells = 3, .has_null = true};
  EXPECT_THAT(CoarseView(shape, {.counts = {50, 60, 2}, .variance = 1}).cell_of,
              ElementsAre(0, 1, kNowhere));
  EXPECT_THAT(CoarseView(shape, {.counts = {50, 60, 4}, .variance = 1}).cell_of,
              ElementsAre(0, 1, 2));
}

TEST(Apportion, GivesEveryRowToSomeCellInProportion) {
  EXPECT_THAT(Apportion({0.5, 0.3, 0.2}, 10), ElementsAre(5, 3, 2));
  EXPECT_THAT(Apportion({1, 1, 1}, 10), ElementsAre(4, 3, 3));
  EXPECT_THAT(Apportion({0, 0}, 3), ElementsAre(2, 1));
}

TEST(Refined, FillsSingleValuesInByTheirShares) {
  SeededEntropy entropy(1);
  const View view{.cell_of = {0, 0, 1, kNowhere}, .cells = 2};
  std::vector<uint16_t> coarse(100, 0);
  coarse.insert(coarse.end(), 50, 1);
  const std::vector<uint16_t> fine = Refined(coarse, view, {0.3, 0.1, 0.6, 0}, 0, entropy);
  EXPECT_EQ(std::count(fine.begin(), fine.end(), 0), 75);
  EXPECT_EQ(std::count(fine.begin(), fine.end(), 1), 25);
  for (size_t i = 100; i < 150; ++i) EXPECT_EQ(fine[i], 2);
}

TEST(Refined, DoesNotTakeNoiseForDifferences) {
  SeededEntropy entropy(1);
  const View view{.cell_of = std::vector<uint16_t>(10, 0), .cells = 1};
  std::vector<double> shares(10, 0.1);
  shares[3] = 0.13;
  const std::vector<uint16_t> coarse(100, 0);
  const auto threes = [&](double variance) {
    const std::vector<uint16_t> fine = Refined(coarse, view, shares, variance, entropy);
    return std::count(fine.begin(), fine.end(), 3);
  };
  EXPECT_EQ(threes(0), 12);
  EXPECT_EQ(threes(0.001), 10);
}

TEST(PairShares, GivesMoreToTablesWhoseCellsStandAboveTheirNoise) {
  const std::vector<std::vector<double>> expected = {std::vector<double>(100, 1000.0),
                                                     std::vector<double>(100, 1.0)};
  const std::vector<double> shares = PairShares(expected, 0.01, 1);
  EXPECT_GT(shares[0], 10 * shares[1]);
  EXPECT_GT(shares[1], 0);
  EXPECT_LT(shares[0] + shares[1], 0.01);
  EXPECT_GT(shares[0] + shares[1], 0.00999);
}

}  // namespace
}  // namespace tacit::release
