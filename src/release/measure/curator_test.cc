#include "release/measure/curator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/testing/tape_entropy.h"

namespace tacit::release {
namespace {

using tacit::testing::SeededEntropy;
using ::testing::ElementsAre;

// Ten rows: (0, 0) four times, (0, 1) three, (1, 1) twice, (1, 2) once.
Joint TenRows() { return {.codes = {{0, 0, 1, 1}, {0, 1, 1, 2}}, .weights = {4, 3, 2, 1}}; }
const Moved kOne{.rows = 1, .l2_squared = 1};

TEST(CountCells, CountsThroughViewsAndLeavesOutWhatIsNowhere) {
  const Joint joint = TenRows();
  const View whole = View::Whole(2);
  const View joined{.cell_of = {0, 1, 1}, .cells = 2};
  EXPECT_THAT(CountCells(joint, {{0, &whole}, {1, &joined}}), ElementsAre(4, 3, 0, 3));
  const View without{.cell_of = {0, kNowhere, 1}, .cells = 2};
  EXPECT_THAT(CountCells(joint, {{0, &whole}, {1, &without}}), ElementsAre(4, 0, 0, 1));
}

TEST(Curator, CountsExactlyWhereRhoIsWithoutBounds) {
  const Joint joint = TenRows();
  SeededEntropy entropy(1);
  Curator curator(joint, kOne, Rho(1'000'000, 1), entropy);
  const View whole = View::Whole(3);
  EXPECT_THAT(curator.Count({{1, &whole}}, 500'000).counts, ElementsAre(4, 5, 1));
}

TEST(Curator, PaysForEveryTableWhatItsNoiseCosts) {
  const Joint joint = TenRows();
  SeededEntropy entropy(1);
  Curator curator(joint, {.rows = 3, .l2_squared = 9}, Rho(1, 10), entropy);
  const View whole = View::Whole(3);
  const NoisyTable table = curator.Count({{1, &whole}}, Rational(1, 20));
  // 9 / (2 sigma^2) = 1/20.
  EXPECT_EQ(table.variance, 90);
  // Rounded up to a common unit, far below any rho that means something.
  EXPECT_LE(curator.left(), Rational(1, 20));
  EXPECT_GE(curator.left(), Rational(1, 20) - Rational(1, 1'000'000'000));
}

// Rows in quarters: one step moves two rows' worth of them.
TEST(Curator, SaysRowsWhereRowsCountInParts) {
  Joint joint = TenRows();
  joint.parts = 4;
  SeededEntropy entropy(1);
  const View whole = View::Whole(3);
  const Moved moved{.rows = 8, .l2_squared = 64, .different = 20};
  Curator curator(joint, moved, Rho(1'000'000, 1), entropy);
  const NoisyTable exact = curator.Count({{1, &whole}}, 400'000);
  EXPECT_THAT(exact.counts, ElementsAre(1, 1.25, 0.25));
  const auto known = [](size_t) { return Curator::Known{.rows = {1, 3, 0}}; };
  EXPECT_NEAR(curator.DistanceFrom({{{1, &whole}}}, known, 400'000).rows, 2, 0.26);
  Curator noisy(joint, moved, Rho(1, 10), entropy);
  // 2^2 / (2 sigma^2) = 1/20.
  EXPECT_EQ(noisy.Count({{1, &whole}}, Rational(1, 20)).variance, 40);
  EXPECT_EQ(noisy.SigmaFor(0.05), std::sqrt(40));
}

TEST(Curator, NeverPaysMoreThanWasAskedByRoundingTheVarianceUp) {
  for (const Rational& rho : {Rational(1, 3), Rational(7, 1000), Rational(1, 123457)}) {
    const Rational variance = VarianceFor(rho, 2);
    EXPECT_LE(Rational(2 / (2 * variance)), rho);
    EXPECT_GE(Rational(2 / (2 * variance)), Rational(rho * Rational(99, 100)));
  }
}

TEST(CuratorDeathTest, SaysNoMoreThanItsRhoPaysFor) {
  const Joint joint = TenRows();
  SeededEntropy entropy(1);
  Curator curator(joint, kOne, Rho(1, 10), entropy);
  const View whole = View::Whole(3);
  curator.Count({{1, &whole}}, Rational(1, 20));
  EXPECT_DEATH(curator.Count({{1, &whole}}, Rational(1, 19)), "");
}

TEST(Curator, ChoosesTheTablesThatAreFarthestOff) {
  const Joint joint = TenRows();
  SeededEntropy entropy(1);
  Curator curator(joint, kOne, Rho(10'000'000, 1), entropy);
  const View whole = View::Whole(3);
  const std::vector<Curator::Known> known = {
      {.rows = {4, 5, 1}},                      // exact
      {.rows = {0, 0, 0}},                      // 10 off
      {.rows = {4, 5, 100}},                    // 99 off
      {.rows = {4, 5, 200}, .allowance = 195},  // 4 beyond what noise does
  };
  const std::vector<std::vector<Side>> tables(known.size(), {{1, &whole}});
  const auto known_of = [&](size_t t) { return known[t]; };
  EXPECT_THAT(curator.Farthest(tables, known_of, 3, 5'000'000, 2), ElementsAre(2, 1, 3));
}

TEST(Curator, SaysHowFarTablesAreOffTogetherWithNoiseForAllOfThem) {
  const Joint joint = TenRows();
  SeededEntropy entropy(1);
  const View whole = View::Whole(3);
  const std::vector<std::vector<Side>> tables(4, {{1, &whole}});
  const auto known_of = [](size_t) { return Curator::Known{.rows = {0, 5, 1}}; };
  Curator exact(joint, kOne, Rho(10'000'000'000, 1), entropy);
  EXPECT_EQ(exact.DistanceFrom(tables, known_of, 5'000'000'000).rows, 16);
  // One row moves each of four tables by one: 16 / (2 sigma^2) = 1/50.
  Curator noisy(joint, kOne, Rho(1, 40), entropy);
  EXPECT_EQ(noisy.DistanceFrom(tables, known_of, Rational(1, 50)).sigma, 20);
  EXPECT_LE(noisy.left(), Rational(1, 40) - Rational(1, 50));
}

// Chi-square of the noise of many cells, with a twin whose noise is a tenth too small.
TEST(Curator, DrawsTheNoiseThatItSays) {
  const size_t cells = 20'000;
  const Joint joint{.codes = {{0}}, .weights = {1}};
  const View wide = View::Whole(cells);
  SeededEntropy entropy(20261117);
  Curator curator(joint, kOne, Rho(1, 1), entropy);
  const NoisyTable table = curator.Count({{0, &wide}}, Rational(1, 200));  // variance 100
  const auto chi_square = [&](double variance) {
    double sum = 0;
    for (size_t i = 1; i < cells; ++i) sum += table.counts[i] * table.counts[i] / variance;
    return sum / static_cast<double>(cells - 1);
  };
  // One standard deviation of the mean is 0.01: five of them.
  EXPECT_NEAR(chi_square(table.variance), 1, 0.05);
  EXPECT_GT(chi_square(table.variance * 0.81), 1.05);
}

}  // namespace
}  // namespace tacit::release
