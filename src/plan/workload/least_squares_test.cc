#include "plan/workload/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>
namespace tacit::plan::workload {
namespace {

// Three attributes with 3, 2 and 4 cells.
const CellCounts kCounts = {3, 2, 4};

// A whole table over all three, counted by `set`.
Cells Truth(AttributeSet set) {
  Cells cells(static_cast<size_t>(CellsIn(kCounts, set)), 0);
  for (size_t a = 0; a < 3; ++a) {
    for (size_t b = 0; b < 2; ++b) {
      for (size_t c = 0; c < 4; ++c) {
        size_t place = 0;
        if ((set & 1) != 0) place = a;
        if ((set & 2) != 0) place = place * 2 + b;
        if ((set & 4) != 0) place = place * 4 + c;
        cells[place] += static_cast<double>(100 * a * a + 17 * b * c + 5 * c + 3);
      }
    }
  }
  return cells;
}

TEST(LeastSquares, WithoutNoiseEveryTableIsItself) {
  const Precisions measured = {{7, 0.5}, {3, 0.2}, {4, 1}, {0, 0.1}};
  std::map<AttributeSet, Cells> exact;
  for (const auto& [set, precision] : measured) exact[set] = Truth(set);
  for (AttributeSet set = 0; set < 8; ++set) {
    const Cells estimate = Estimate(kCounts, measured, exact, set);
    const Cells truth = Truth(set);
    ASSERT_EQ(estimate.size(), truth.size());
    for (size_t c = 0; c < truth.size(); ++c) EXPECT_NEAR(estimate[c], truth[c], 1e-9) << set;
  }
}

// What the estimate of `set` makes of one unit in one cell of a measured table: it is linear, so
// these say all of its noise.
struct Pull {
  double variance = 0;  // of that cell's noise
  Cells on;
};
std::vector<Pull> PullsOn(const Precisions& measured, AttributeSet set) {
  std::map<AttributeSet, Cells> still;
  for (const auto& [table, precision] : measured) still[table] = Cells(Truth(table).size(), 0);
  std::vector<Pull> pulls;
  for (const auto& [table, precision] : measured) {
    for (size_t c = 0; c < still[table].size(); ++c) {
      still[table][c] = 1;
      pulls.push_back({1 / precision, Estimate(kCounts, measured, still, set)});
      still[table][c] = 0;
    }
  }
  return pulls;
}

TEST(LeastSquares, TotalsAreTheSumsOfTheirParts) {
  const Precisions measured = {{7, 0.5}, {3, 0.2}, {6, 0.3}, {1, 2}};
  std::map<AttributeSet, Cells> noisy;
  double unlike = 0;  // tables that do not agree
  for (const auto& [set, precision] : measured) {
    noisy[set] = Truth(set);
    for (double& cell : noisy[set]) cell += std::sin(++unlike) * 10;
  }
  const Cells pairs = Estimate(kCounts, measured, noisy, 3);
  const Cells first = Estimate(kCounts, measured, noisy, 1);
  const Cells second = Estimate(kCounts, measured, noisy, 2);
  for (size_t a = 0; a < 3; ++a) EXPECT_NEAR(first[a], pairs[2 * a] + pairs[2 * a + 1], 1e-9);
  EXPECT_NEAR(second[1], pairs[1] + pairs[3] + pairs[5], 1e-9);
  EXPECT_NEAR(first[0] + first[1] + first[2], Estimate(kCounts, measured, noisy, 0)[0], 1e-9);
}

// Cells, totals and differences of the table by the first two attributes.
TEST(LeastSquares, NoFunctionOfATableHasMoreVarianceThanIsSaid) {
  const Precisions measured = {{7, 0.5}, {3, 0.2}, {6, 0.3}, {1, 2}, {0, 1}};
  const double said = 1 / PrecisionOf(kCounts, measured, 3);
  const std::vector<Cells> functions = {{1, 0, 0, 0, 0, 0},   {1, 1, 1, 1, 1, 1},
                                        {1, -1, 0, 0, 0, 0},  {0, 1, 0, -1, 0, 2},
                                        {1, 1, 0, 0, -1, -1}, {1, -1, -1, 1, 0, 0}};
  const std::vector<Pull> pulls = PullsOn(measured, 3);
  double largest = 0;
  for (const Cells& function : functions) {
    double norm = 0;
    for (const double weight : function) norm += weight * weight;
    double variance = 0;
    for (const Pull& pull : pulls) {
      double moved = 0;
      for (size_t c = 0; c < function.size(); ++c) moved += function[c] * pull.on[c];
      variance += moved * moved * pull.variance;
    }
    EXPECT_LE(variance, norm * said * (1 + 1e-9));
    largest = std::max(largest, variance / norm);
  }
  EXPECT_NEAR(largest, said, said * 1e-9) << "a smaller claim would be wrong";
}

TEST(LeastSquares, EveryWishIsMetAndNothingIsMeasuredTwice) {
  const Precisions wished = {{7, 1}, {3, 1}, {1, 1}, {4, 2}, {0, 0.01}};
  const Precisions chosen = ChoosePrecisions(kCounts, wished);
  double cost = 0;
  double apart = 0;
  for (const auto& [set, precision] : wished) {
    EXPECT_GE(PrecisionOf(kCounts, chosen, set), precision * (1 - 1e-9)) << set;
    apart += precision;
  }
  for (const auto& [set, precision] : chosen) cost += precision;
  EXPECT_FALSE(chosen.contains(0)) << "the total follows from the others";
  EXPECT_NEAR(chosen.at(3), 1 - 1 / 4.0, 1e-9);
  EXPECT_LT(cost, apart);
}

}  // namespace
}  // namespace tacit::plan::workload
