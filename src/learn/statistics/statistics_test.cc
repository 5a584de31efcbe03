#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "learn/statistics/cells.h"
#include "learn/statistics/chi_square.h"
#include "learn/statistics/prices.h"
#include "learn/statistics/survival.h"
#include "learn/statistics/t_test.h"

namespace tacit::learn {
namespace {

// Noise as the mechanisms draw it: Laplace of this scale.
NoiseLaw LaplaceLaw(double scale) {
  std::vector<double> errors;
  constexpr int kParts = 2000;
  for (int i = 0; i < kParts; ++i) {
    const double u = (i + 0.5) / kParts - 0.5;
    errors.push_back((u < 0 ? scale : -scale) * std::log(1 - 2 * std::abs(u)));
  }
  return NoiseLaw(std::move(errors));
}

TEST(CutColumn, EveryNumberIsInOneCellAndTheEndsHoldTheRest) {
  const CutColumn cut = CutNumber({.name = "x", .low = 0, .high = 10}, false, 4);
  ASSERT_EQ(cut.cells(), 4u);
  EXPECT_EQ(cut.Label(0), "[0, 2.5)");
  EXPECT_EQ(cut.Label(3), "[7.5, 10]");
  const std::string text = CountsQuery({cut}, "SELECT x FROM t");
  EXPECT_NE(text.find("CASE WHEN tacit_rows.x < 2.5 THEN 0 WHEN tacit_rows.x < 5 THEN 1 WHEN "
                      "tacit_rows.x < 7.5 THEN 2 ELSE 3 END"),
            std::string::npos)
      << text;
}

TEST(CutColumn, WholeNumbersAreNeverCutInTwo) {
  const CutColumn few = CutNumber({.name = "x", .low = 0, .high = 3}, true, 20);
  EXPECT_TRUE(few.whole);
  ASSERT_EQ(few.cells(), 4u);
  EXPECT_EQ(few.Label(3), "3");
  const CutColumn many = CutNumber({.name = "x", .low = 0, .high = 365}, true, 20);
  EXPECT_FALSE(many.whole);
  EXPECT_LE(many.cells(), 20u);
  for (const Rational& end : many.ends) EXPECT_EQ(end.get_den(), 1);
  EXPECT_GT(many.ends.back(), 365);
  EXPECT_LE(many.ends[many.cells() - 1], 365);
  // Ends that are no whole numbers themselves.
  const CutColumn odd =
      CutNumber({.name = "x", .low = Rational(1, 2), .high = Rational(7, 2)}, true, 9);
  ASSERT_EQ(odd.cells(), 3u);
  EXPECT_EQ(odd.Label(0), "1");
}

TEST(Chance, IsAFunctionOfWhatWasReleased) {
  Chance one = Chance::Of("a", {1, 2});
  Chance same = Chance::Of("a", {1, 2});
  Chance other = Chance::Of("a", {1, 3});
  EXPECT_EQ(one(), same());
  EXPECT_NE(one(), other());
}

TEST(NoiseLaw, HasTheVarianceThatItDraws) {
  const NoiseLaw law = LaplaceLaw(10);
  EXPECT_NEAR(law.variance(), 200, 2);
  Chance chance(1);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double drawn = law.Draw(chance);
    sum += drawn * drawn;
  }
  EXPECT_NEAR(sum / 100'000, 200, 10);
  EXPECT_NEAR(law.Times(2).deviation(), 2 * law.deviation(), 1e-9);
}

// The counts of so many rows of two columns with three values each; `together` of them go together.
CountTable NoisyTable(double rows, double together, const NoiseLaw& noise, Chance& chance) {
  const double shares[] = {0.5, 0.3, 0.2};
  CountTable table{.rows = 3, .columns = 3, .counts = std::vector<double>(9, 0.0), .noise = noise};
  for (int i = 0; i < rows; ++i) {
    const auto pick = [&] {
      const double place = chance.Fraction();
      return place < shares[0] ? size_t{0} : place < shares[0] + shares[1] ? size_t{1} : size_t{2};
    };
    const size_t a = pick();
    const size_t b = chance.Fraction() < together ? a : pick();
    ++table.counts[a * 3 + b];
  }
  for (double& count : table.counts) count = std::round(count + noise.Draw(chance));
  return table;
}

TEST(ChiSquare, AccusesTheIndependentAsSeldomAsItSays) {
  Chance chance(3);
  for (const double epsilon : {0.1, 1.0}) {
    const NoiseLaw noise = LaplaceLaw(1 / epsilon);
    int accused = 0;
    int found = 0;
    int with_less_noise = 0;
    constexpr int kTimes = 80;
    for (int i = 0; i < kTimes; ++i) {
      const CountTable table = NoisyTable(3000, 0, noise, chance);
      accused += *TestIndependence(table).p_value < 0.05;
      found += *TestIndependence(NoisyTable(3000, 0.12, noise, chance)).p_value < 0.05;
      // The twin takes the counts for exact.
      CountTable wrong = table;
      wrong.noise = NoiseLaw();
      with_less_noise += *TestIndependence(wrong).p_value < 0.05;
    }
    std::printf("epsilon %g: accused %d, found %d, twin accused %d of %d\n", epsilon, accused,
                found, with_less_noise, kTimes);
    EXPECT_LE(accused, kTimes / 8);
    EXPECT_GT(found, kTimes * 9 / 10);
    if (epsilon < 0.5) EXPECT_GT(with_less_noise, kTimes / 8);
  }
}

TEST(ChiSquare, SaysNothingWhereTheNoiseHidesTheRows) {
  CountTable table{.rows = 2, .columns = 2, .counts = {3, -4, 9, 1}, .noise = LaplaceLaw(10)};
  const ChiSquare test = TestIndependence(table);
  EXPECT_FALSE(test.p_value);
  EXPECT_TRUE(test.expected.empty());
  table.counts = {0, 0, 0, 0};
  table.noise = NoiseLaw();
  EXPECT_FALSE(TestIndependence(table).p_value);
}

TEST(ChiSquare, IsTheUsualOneWithoutNoise) {
  // 2 x 2: 20 30 / 30 20 has a statistic of 4 and p about 0.0455.
  const ChiSquare test =
      TestIndependence({.rows = 2, .columns = 2, .counts = {20, 30, 30, 20}, .noise = NoiseLaw()});
  EXPECT_NEAR(test.statistic, 4, 1e-9);
  EXPECT_NEAR(*test.p_value, 0.06, 0.03);
}

TwoGroups NoisyGroups(const double rows[2], double difference, double epsilon, Chance& chance) {
  TwoGroups sums{.groups = {},
                 .half = 5,
                 .rows_noise = LaplaceLaw(3 / epsilon),
                 .sum_noise = LaplaceLaw(15 / epsilon),
                 .squares_noise = LaplaceLaw(75 / epsilon)};
  for (size_t g = 0; g < 2; ++g) {
    for (int i = 0; i < rows[g]; ++i) {
      double u = 1 + chance.Normal() + (g == 1 ? difference : 0);
      u = std::min(std::max(u, -5.0), 5.0);
      sums.groups[g].rows += 1;
      sums.groups[g].sum += u;
      sums.groups[g].squares += u * u;
    }
    sums.groups[g].rows += sums.rows_noise.Draw(chance);
    sums.groups[g].sum += sums.sum_noise.Draw(chance);
    sums.groups[g].squares += sums.squares_noise.Draw(chance);
  }
  return sums;
}

TEST(TTest, ItsIntervalsHoldAndItAccusesAsSeldomAsItSays) {
  Chance chance(5);
  const double rows[2] = {900, 300};
  for (const double epsilon : {0.2, 2.0}) {
    int held = 0;
    int accused = 0;
    int answered = 0;
    int twin_held = 0;
    constexpr int kTimes = 150;
    for (int i = 0; i < kTimes; ++i) {
      const TTest apart = CompareMeans(NoisyGroups(rows, 0.5, epsilon, chance));
      TwoGroups alike = NoisyGroups(rows, 0, epsilon, chance);
      const TTest null = CompareMeans(alike);
      if (!apart.found || !null.found) continue;
      ++answered;
      held += std::abs(apart.found->difference - 0.5) <= apart.found->margin;
      accused += null.found->p_value < 0.05;
      alike.rows_noise = alike.sum_noise = alike.squares_noise = NoiseLaw();
      const TTest wrong = CompareMeans(alike);
      twin_held += !wrong.found || wrong.found->p_value >= 0.05;
    }
    std::printf("epsilon %g: held %d, accused %d, twin held %d of %d\n", epsilon, held, accused,
                twin_held, answered);
    EXPECT_GT(answered, kTimes * 95 / 100);
    EXPECT_GT(held, answered * 90 / 100);
    EXPECT_LT(accused, answered * 11 / 100);
    if (epsilon < 1) EXPECT_LT(twin_held, answered * 9 / 10);
  }
}

TEST(TTest, SaysNothingOfAGroupThatTheNoiseHides) {
  Chance chance(5);
  const double rows[2] = {900, 3};
  const TTest test = CompareMeans(NoisyGroups(rows, 0, 0.2, chance));
  EXPECT_FALSE(test.found);
  TwoGroups none{.groups = {}};
  EXPECT_FALSE(CompareMeans(none).found);
  // A column that never varies, counted exactly.
  TwoGroups constant{.groups = {{{.rows = 9, .sum = 0, .squares = 0}, {.rows = 9}}}};
  EXPECT_FALSE(CompareMeans(constant).found);
}

// People who die at rate 0.02 a day and leave at 0.01.
LifeTable NoisyLives(int people, size_t cells, double width, bool moments, const NoiseLaw& noise,
                     Chance& chance) {
  LifeTable table{.died = std::vector<double>(cells, 0.0),
                  .left = std::vector<double>(cells, 0.0),
                  .moments = moments,
                  .noise = noise};
  for (int i = 0; i < people; ++i) {
    const double death = -std::log(chance.Fraction()) / 0.02;
    const double leaving = -std::log(chance.Fraction()) / 0.01;
    const double seen = std::min({death, leaving, width * static_cast<double>(cells) - 0.001});
    auto& side = death <= seen ? table.died : table.left;
    ++side[static_cast<size_t>(seen / width)];
  }
  for (std::vector<double>* side : {&table.died, &table.left}) {
    for (double& count : *side) count = std::round(count + noise.Draw(chance));
  }
  return table;
}

TEST(Survival, ItsBandHolds) {
  Chance chance(7);
  constexpr int kTimes = 40;
  for (const double epsilon : {0.05, 2.0}) {
    int held = 0;
    int said = 0;
    int twin_held = 0;
    for (int i = 0; i < kTimes; ++i) {
      LifeTable table = NoisyLives(2000, 10, 10, false, LaplaceLaw(1 / epsilon), chance);
      const auto curve = EstimateSurvival(table);
      ASSERT_TRUE(curve.has_value());
      for (size_t t = 0; t < curve->size(); ++t) {
        if (!(*curve)[t].known) continue;
        ++said;
        const double truth = std::exp(-0.02 * 10 * static_cast<double>(t + 1));
        held += (*curve)[t].low <= truth && truth <= (*curve)[t].high;
        EXPECT_LE((*curve)[t].low, (*curve)[t].high);
      }
      table.noise = NoiseLaw();
      const auto wrong = EstimateSurvival(table);
      for (size_t t = 0; t < wrong->size(); ++t) {
        if (!(*wrong)[t].known) continue;
        const double truth = std::exp(-0.02 * 10 * static_cast<double>(t + 1));
        twin_held += (*wrong)[t].low <= truth && truth <= (*wrong)[t].high;
      }
    }
    std::printf("epsilon %g: held %d of %d, twin %d\n", epsilon, held, said, twin_held);
    EXPECT_GT(held, said * 90 / 100);
    if (epsilon < 1) EXPECT_LT(twin_held, said * 85 / 100);
  }
}

TEST(Survival, IsKaplanAndMeiersWithoutNoise) {
  // Ten people: two die on day 0, one leaves; of seven one dies on day 1.
  const auto curve = EstimateSurvival(
      {.died = {2, 1, 0}, .left = {1, 0, 6}, .moments = true, .noise = NoiseLaw()});
  ASSERT_TRUE(curve.has_value());
  EXPECT_NEAR((*curve)[0].share, 0.8, 1e-12);
  EXPECT_NEAR((*curve)[1].share, 0.8 * 6 / 7, 1e-12);
  EXPECT_FALSE((*curve)[2].known);
  EXPECT_EQ((*curve)[1].at_risk, 7);
}

TEST(Survival, SaysNothingBeyondWhatTheNoiseLeaves) {
  EXPECT_FALSE(EstimateSurvival({.died = {1, 2}, .left = {0, -1}, .noise = LaplaceLaw(10)}));
  const auto curve = EstimateSurvival(
      {.died = {500, 480, 2}, .left = {0, 0, 1}, .moments = true, .noise = LaplaceLaw(10)});
  ASSERT_TRUE(curve.has_value());
  EXPECT_TRUE((*curve)[1].known);
  EXPECT_FALSE((*curve)[2].known);
}

TEST(PriceGrid, HoldsWholeMultiplesOfOneUnit) {
  const auto grid = MakePriceGrid({.name = "bid", .low = 0, .high = 100}, false, 8);
  ASSERT_TRUE(grid.has_value());
  ASSERT_EQ(grid->prices.size(), 8u);
  EXPECT_EQ(grid->unit, Rational(25, 2));
  EXPECT_EQ(grid->units.back(), 8);
  EXPECT_EQ(grid->cut.cells(), 9u);
  EXPECT_EQ(RevenueSpread(*grid, 3), 24);
  // Two below the first price, one at every price, three at the last.
  EXPECT_EQ(RevenuesOf(*grid, {2, 1, 1, 1, 1, 1, 1, 1, 3}),
            (std::vector<int64_t>{10, 18, 24, 28, 30, 30, 28, 24}));
  const auto whole = MakePriceGrid({.name = "bid", .low = 1, .high = 5}, true, 50);
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->prices, (std::vector<Rational>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(MakePriceGrid({.name = "bid", .low = -5, .high = 0}, false, 5));
  EXPECT_FALSE(MakePriceGrid({.name = "bid", .low = 0, .high = Rational(1, 2)}, true, 5));
}

// For every grid and every person, within the spread and never the other way.
TEST(PriceGrid, OneBidMovesRevenuesTogetherAndNoFurtherThanTheSpread) {
  Chance chance(9);
  for (int i = 0; i < 200; ++i) {
    const Rational low = Fraction(static_cast<long>(chance() % 50), 3);
    const Rational high = Rational(low + Fraction(static_cast<long>(chance() % 500 + 1), 7));
    const auto grid = MakePriceGrid({.name = "b", .low = low, .high = high}, false,
                                    static_cast<size_t>(chance() % 30 + 1));
    ASSERT_TRUE(grid.has_value());
    std::vector<Int128> bids(grid->cut.cells());
    for (Int128& count : bids) count = static_cast<Int128>(chance() % 1000);
    const std::vector<int64_t> before = RevenuesOf(*grid, bids);
    const size_t rows = chance() % 4 + 1;
    for (size_t r = 0; r < rows; ++r) ++bids[chance() % bids.size()];
    const std::vector<int64_t> after = RevenuesOf(*grid, bids);
    for (size_t p = 0; p < before.size(); ++p) {
      EXPECT_GE(after[p], before[p]);
      EXPECT_LE(after[p] - before[p], RevenueSpread(*grid, static_cast<unsigned long>(rows)));
    }
  }
}

}  // namespace
}  // namespace tacit::learn
