#include "noise/quantile/quantile.h"

#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "noise/testing/goodness_of_fit.h"

namespace tacit::noise {
namespace {

using ::tacit::testing::SeededEntropy;

// Rows in each cell, empty ones too.
FullCells CellsOf(const std::vector<uint64_t>& counts) {
  std::vector<FullCells::Cell> cells;
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    if (counts[cell] > 0) cells.push_back({cell, counts[cell]});
  }
  return FullCells::Of(cells).value();
}

QuantileSelection MakeQuantile(const char* quantile, const char* epsilon, size_t cells) {
  return QuantileSelection::Make({.quantile = ParseRational(quantile).value(),
                                  .rows_changed = 1,
                                  .epsilon = Epsilon(ParseRational(epsilon).value()),
                                  .points = cells})
      .value();
}

TEST(Quantile, AtAHugePriceItIsTheQuantile) {
  SeededEntropy entropy(1);
  const FullCells counts = CellsOf({0, 10, 20, 30, 40, 0, 0});  // 100 rows
  EXPECT_EQ(MakeQuantile("0.5", "1e9", 7).Apply(counts, entropy), 3u);
  EXPECT_EQ(MakeQuantile("0.05", "1e9", 7).Apply(counts, entropy), 1u);
  EXPECT_EQ(MakeQuantile("0.95", "1e9", 7).Apply(counts, entropy), 4u);
}

TEST(Quantile, ChoosesWithTheExactChancesAndABiasedTwinDoesNot) {
  SeededEntropy entropy(testing::TestSeed());
  const FullCells counts = CellsOf({3, 0, 5, 2, 0, 1});
  const std::vector<uint64_t> widths = {2, 2, 2, 2, 2, 1};
  const auto make = [&](const char* epsilon) {
    return QuantileSelection::Make({.quantile = Rational(1, 4),
                                    .rows_changed = 1,
                                    .epsilon = Epsilon(ParseRational(epsilon).value()),
                                    .points = 11,
                                    .cell_points = 2})
        .value();
  };
  const QuantileSelection selection = make("0.8");
  const QuantileSelection twin = make("0.85");
  const int count = testing::IsLongRun() ? 20'000'000 : 150'000;
  testing::Histogram fair(0, 5);
  testing::Histogram biased(0, 5);
  for (int i = 0; i < count; ++i) {
    fair.Add(static_cast<int64_t>(selection.Apply(counts, entropy)));
    biased.Add(static_cast<int64_t>(twin.Apply(counts, entropy)));
  }
  // 11 rows, wished rank 2.75, so 11 in quarters; one row moves a distance by at most 3 quarters.
  const double distances[] = {0, 1, 1, 21, 29, 29};
  double total = 0;
  const auto weight = [&](size_t i) {
    return static_cast<double>(widths[i]) * std::exp(-0.8 * distances[i] / 6);
  };
  for (size_t i = 0; i < 6; ++i) total += weight(i);
  const auto chance = [&](int64_t i) { return weight(static_cast<size_t>(i)) / total; };
  EXPECT_LT(fair.Deviation(chance, 0, 0), testing::kAlarm);
  EXPECT_GT(biased.Deviation(chance, 0, 0), testing::kAlarm);
}

// The claim that the proof rests on, over all small tables: one row more moves no cell's distance
// by more than max(q, 1-q) rows.
TEST(Quantile, OneRowMovesNoDistanceByMoreThanTheStatedSensitivity) {
  const auto distances = [](const std::vector<int>& counts, int a, int b) {
    int rows = 0;
    for (const int count : counts) rows += count;
    std::vector<int> result;
    int below = 0;
    for (const int count : counts) {
      result.push_back(std::max({0, b * below - a * rows, a * rows - b * (below + count)}));
      below += count;
    }
    return result;
  };
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 1}, {1, 2}, {1, 4}, {19, 20}}) {
    int largest = 0;
    for (int code = 0; code < 4 * 4 * 4 * 4; ++code) {
      const std::vector<int> counts = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3};
      for (size_t cell = 0; cell < counts.size(); ++cell) {
        std::vector<int> more = counts;
        ++more[cell];
        const std::vector<int> before = distances(counts, a, b);
        const std::vector<int> after = distances(more, a, b);
        for (size_t i = 0; i < before.size(); ++i) {
          largest = std::max(largest, std::abs(before[i] - after[i]));
        }
      }
    }
    EXPECT_EQ(largest, std::max(a, b - a)) << a << "/" << b;
  }
}

QuantileSelection Extreme(const char* quantile, const char* epsilon, size_t cells) {
  return QuantileSelection::Make({.quantile = ParseRational(quantile).value(),
                                  .rows_changed = 1,
                                  .epsilon = Epsilon(ParseRational(epsilon).value()),
                                  .points = cells,
                                  .extreme = true})
      .value();
}

TEST(Quantile, AtAHugePriceAnExtremeIsTheExtreme) {
  SeededEntropy entropy(3);
  const FullCells counts = CellsOf({0, 0, 1, 50, 1, 0, 0, 0});
  EXPECT_EQ(Extreme("0", "1e9", 8).Apply(counts, entropy), 2u);
  EXPECT_EQ(Extreme("1", "1e9", 8).Apply(counts, entropy), 4u);
}

TEST(Quantile, AnExtremeIsSeldomBeyondTheDataAndAPlainQuantileOftenIs) {
  SeededEntropy entropy(testing::TestSeed());
  std::vector<uint64_t> rows(1000, 0);
  for (size_t cell = 300; cell < 600; ++cell) rows[cell] = 100;
  const FullCells counts = CellsOf(rows);
  const QuantileSelection largest = Extreme("1", "1", 1000);
  const QuantileSelection plain = MakeQuantile("1", "1", 1000);
  int beyond = 0;
  int plain_beyond = 0;
  const int count = 2000;
  for (int i = 0; i < count; ++i) {
    const uint64_t cell = largest.Apply(counts, entropy);
    beyond += cell >= 600 ? 1 : 0;
    plain_beyond += plain.Apply(counts, entropy) >= 600 ? 1 : 0;
    EXPECT_GE(cell, 590u);  // the error is some 45 ranks, and a cell holds a hundred
  }
  EXPECT_LT(beyond, count / 20);
  EXPECT_GT(plain_beyond, count * 9 / 10);
}

// Line [e] of the proof: for every small table and every offset.
TEST(Quantile, OneRowMovesNoDistanceOfAnExtremeByMoreThanARank) {
  const int b = 4;
  for (const bool largest : {false, true}) {
    for (int offset = b / 2; offset <= 6 * b; ++offset) {
      const auto distances = [&](const std::vector<int>& counts) {
        int rows = 0;
        for (const int count : counts) rows += count;
        const int inside = std::min(offset, b * rows / 2);
        const int wished = largest ? b * rows - inside : inside;
        std::vector<int> result;
        int below = 0;
        for (const int count : counts) {
          result.push_back(std::max({0, b * below - wished, wished - b * (below + count)}));
          below += count;
        }
        return result;
      };
      for (int code = 0; code < 3 * 3 * 3; ++code) {
        const std::vector<int> counts = {code % 3, code / 3 % 3, code / 9};
        for (size_t cell = 0; cell < counts.size(); ++cell) {
          std::vector<int> more = counts;
          ++more[cell];
          const std::vector<int> before = distances(counts);
          const std::vector<int> after = distances(more);
          for (size_t i = 0; i < before.size(); ++i) {
            EXPECT_LE(std::abs(before[i] - after[i]), b);
          }
        }
      }
    }
  }
}

QuantileSelection EndOf(const char* quantile, const char* epsilon, size_t cells, IntervalEnd end) {
  return QuantileSelection::Make({.quantile = ParseRational(quantile).value(),
                                  .rows_changed = 1,
                                  .epsilon = Epsilon(ParseRational(epsilon).value()),
                                  .points = cells,
                                  .end = end})
      .value();
}

// The cell of the smallest value that q of the rows do not exceed.
size_t TrueCell(const std::vector<uint64_t>& counts, double q) {
  double rows = 0;
  for (const uint64_t count : counts) rows += static_cast<double>(count);
  double up_to = 0;
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    up_to += static_cast<double>(counts[cell]);
    if (up_to > 0 && up_to >= q * rows) return cell;
  }
  return 0;
}

// Even, with a gap at the median, all at one end, few, one, none.
TEST(Quantile, AnIntervalHoldsTheQuantileWhateverTheData) {
  constexpr size_t kCells = 200;
  std::vector<std::vector<uint64_t>> tables(6, std::vector<uint64_t>(kCells, 0));
  for (size_t cell = 0; cell < kCells; ++cell) tables[0][cell] = 50;
  tables[1][3] = 5000;
  tables[1][190] = 5000;
  tables[2][0] = 10'000;
  for (size_t cell = 0; cell < kCells; cell += 10) tables[3][cell] = 1;
  tables[4][120] = 1;
  SeededEntropy entropy(testing::TestSeed());
  const int count = 2000;
  for (const auto& [text, q] : {std::pair{"0.5", 0.5}, {"0.05", 0.05}, {"0.99", 0.99}}) {
    const QuantileSelection low = EndOf(text, "0.1", kCells, IntervalEnd::kLow);
    const QuantileSelection high = EndOf(text, "0.1", kCells, IntervalEnd::kHigh);
    for (size_t table = 0; table < tables.size(); ++table) {
      const size_t truth = TrueCell(tables[table], q);
      const FullCells full = CellsOf(tables[table]);
      int missed = 0;
      for (int i = 0; i < count; ++i) {
        const bool held = low.Apply(full, entropy) <= truth && truth <= high.Apply(full, entropy);
        missed += held ? 0 : 1;
      }
      // 100 are expected at most; 150 would be five deviations more.
      EXPECT_LT(missed, 150) << text << " of table " << table;
    }
  }
}

TEST(Quantile, AnIntervalIsNarrowWhereThereAreManyRows) {
  SeededEntropy entropy(testing::TestSeed());
  const FullCells counts =
      CellsOf(std::vector<uint64_t>(200, 50));  // an end is some 180 ranks away at most
  for (int i = 0; i < 200; ++i) {
    EXPECT_GT(EndOf("0.5", "0.1", 200, IntervalEnd::kLow).Apply(counts, entropy), 85u);
    EXPECT_LT(EndOf("0.5", "0.1", 200, IntervalEnd::kHigh).Apply(counts, entropy), 115u);
  }
}

// Lines [f] and [g] of the proof: for small tables, offsets that reach beyond them, and the bound.
TEST(Quantile, OneRowMovesNoDistanceOfAnEndByMoreThanTheStatedSensitivity) {
  for (const auto& [a, b] : {std::pair{1, 2}, {1, 4}, {19, 20}}) {
    for (int offset = -8 * b; offset <= 8 * b; ++offset) {
      const auto distances = [&, a = a, b = b](const std::vector<int>& counts) {
        int rows = 0;
        for (const int count : counts) rows += count;
        const int wished = a * rows + offset;
        std::vector<int> result;
        int below = 0;
        for (const int count : counts) {
          result.push_back(std::max({0, b * below - wished, wished - b * (below + count)}));
          below += count;
        }
        for (const int bound : {0, rows}) {
          result.push_back(std::max({0, b * bound - wished, wished - b * bound}));
        }
        return result;
      };
      for (int code = 0; code < 3 * 3 * 3; ++code) {
        const std::vector<int> counts = {code % 3, code / 3 % 3, code / 9};
        for (size_t cell = 0; cell < counts.size(); ++cell) {
          std::vector<int> more = counts;
          ++more[cell];
          const std::vector<int> before = distances(counts);
          const std::vector<int> after = distances(more);
          for (size_t i = 0; i < before.size(); ++i) {
            EXPECT_LE(std::abs(before[i] - after[i]), std::max(a, b - a));
          }
        }
      }
    }
  }
}

// A chi-square where most layers are empty, weights differ within a layer, and the grid is long.
TEST(Quantile, ChoosesEvenlyAmongThePointsOfALongGap) {
  SeededEntropy entropy(testing::TestSeed());
  const FullCells full = *FullCells::Of({{100, 7}, {900, 3}});
  const QuantileSelection selection = MakeQuantile("0.75", "0.5", 1000);
  // 10 rows, wished rank 7.5, in quarters 30: the points from 101 to 899 are 2 away, 900 is there.
  // One row moves a distance by at most 3.
  const auto weight = [](double distance) { return std::exp(-0.5 * distance / 6); };
  const double part[] = {100 * weight(30), weight(2), 399 * weight(2),
                         400 * weight(2),  1,         99 * weight(10)};
  double total = 0;
  for (const double p : part) total += p;
  testing::Histogram seen(0, 5);
  const int count = testing::IsLongRun() ? 20'000'000 : 100'000;
  for (int i = 0; i < count; ++i) {
    const uint64_t cell = selection.Apply(full, entropy);
    seen.Add(cell < 100    ? 0
             : cell == 100 ? 1
             : cell < 500  ? 2
             : cell < 900  ? 3
             : cell == 900 ? 4
                           : 5);
  }
  const auto chance = [&](int64_t i) { return part[i] / total; };
  EXPECT_LT(seen.Deviation(chance, 0, 0), testing::kAlarm);
  // The twin has twenty points more in one half of the gap than in the other.
  const auto twin = [&](int64_t i) {
    if (i != 2 && i != 3) return chance(i);
    return (i == 2 ? 419 : 380) * weight(2) / total;
  };
  EXPECT_GT(seen.Deviation(twin, 0, 0), testing::kAlarm);
}

TEST(Quantile, TheLongestGridAndEveryPriceTakeNoTime) {
  SeededEntropy entropy(11);
  const uint64_t points = (uint64_t{1} << 63) + 1;
  const FullCells full = *FullCells::Of({{5, 1000}, {uint64_t{1} << 40, 1000}, {points - 1, 5}});
  for (const char* epsilon : {"1e-30", "1e-17", "1e-3", "1", "50", "1e9", "1e300"}) {
    for (const IntervalEnd end : {IntervalEnd::kNone, IntervalEnd::kLow, IntervalEnd::kHigh}) {
      const QuantileSelection selection =
          QuantileSelection::Make({.quantile = Rational(3, 4),
                                   .rows_changed = 1,
                                   .epsilon = Epsilon(ParseRational(epsilon).value()),
                                   .points = points,
                                   .end = end})
              .value();
      for (int i = 0; i < 20; ++i) EXPECT_LT(selection.Apply(full, entropy), points);
    }
  }
  EXPECT_EQ(QuantileSelection::Make({.quantile = Rational(3, 4),
                                     .rows_changed = 1,
                                     .epsilon = Epsilon(1000, 1),
                                     .points = points})
                .value()
                .Apply(full, entropy),
            uint64_t{1} << 40);
}

TEST(Quantile, RefusesBadParameters) {
  const auto refused = [](const char* q, int rows, uint64_t points, uint64_t cell_points = 1) {
    return !QuantileSelection::Make({.quantile = ParseRational(q).value(),
                                     .rows_changed = rows,
                                     .epsilon = Epsilon(1, 1),
                                     .points = points,
                                     .cell_points = cell_points})
                .ok();
  };
  EXPECT_TRUE(refused("1.1", 1, 1));
  EXPECT_TRUE(refused("-0.1", 1, 1));
  EXPECT_TRUE(refused("0.123456789", 1, 1));
  EXPECT_TRUE(refused("0.5", 0, 1));
  EXPECT_TRUE(refused("0.5", 1, 0));
  EXPECT_TRUE(refused("0.5", 1, 1, 0));
  EXPECT_TRUE(refused("0.5", 1, 1, 2));
  EXPECT_TRUE(refused("0.5", 1, ~uint64_t{0}));
  EXPECT_FALSE(refused("0.5", 1, 1));
  EXPECT_FALSE(refused("0.5", 1, 7, 3));
}

TEST(Quantile, AnEmptyTableStillGivesACell) {
  SeededEntropy entropy(2);
  EXPECT_LT(MakeQuantile("0.5", "1", 4).Apply(FullCells(), entropy), 4u);
}

}  // namespace
}  // namespace tacit::noise
