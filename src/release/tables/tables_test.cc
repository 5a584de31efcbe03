#include "release/tables/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/testing/tape_entropy.h"

namespace tacit::release {
namespace {

using tacit::testing::SeededEntropy;

const Moved kMovedByOne{.rows = 1, .l2_squared = 1};
const std::vector<ColumnShape> kTableColumns = {{.cells = 2}, {.cells = 3}, {.cells = 4}};

Joint ManyRows() {
  Joint joint{.codes = {{}, {}, {}}, .weights = {}};
  for (uint16_t a = 0; a < 2; ++a) {
    for (uint16_t b = 0; b < 3; ++b) {
      for (uint16_t c = 0; c < 4; ++c) {
        joint.codes[0].push_back(a);
        joint.codes[1].push_back(b);
        joint.codes[2].push_back(c);
        joint.weights.push_back(20 * a + 5 * b + (a == 1 && c == 2 ? 100 : 1));
      }
    }
  }
  return joint;
}

ReleasedTables RunTables(const std::vector<TableColumns>& tables, const Rho& rho,
                         uint64_t seed = 3) {
  SeededEntropy entropy(seed);
  return MeasureTables(ManyRows(), kTableColumns, tables, kMovedByOne, rho, 1'000'000, entropy,
                       nullptr);
}

// The counts of a table of two columns, summed over the second.
std::vector<uint64_t> FirstMargin(const std::vector<uint64_t>& counts, size_t cells) {
  std::vector<uint64_t> margin;
  for (size_t i = 0; i < counts.size(); i += cells) {
    margin.push_back(std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(i),
                                     counts.begin() + static_cast<std::ptrdiff_t>(i + cells),
                                     uint64_t{0}));
  }
  return margin;
}

TEST(MeasureTables, AgreesInTotalsAndInColumnsThatTablesShare) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const ReleasedTables made = RunTables({{1, 0}, {1, 2}, {1}}, Rho(1, 1000), seed);
    const std::vector<uint64_t>& alone = made.tables[2].counts;
    EXPECT_EQ(FirstMargin(made.tables[0].counts, 2), alone);
    EXPECT_EQ(FirstMargin(made.tables[1].counts, 4), alone);
    EXPECT_EQ(std::accumulate(alone.begin(), alone.end(), uint64_t{0}), made.rows);
  }
}

// One value at a time is moved, so that a row may stay one cell away from where it belongs.
TEST(MeasureTables, IsWithinARowOfTheTruthWhereRhoIsWithoutBounds) {
  const ReleasedTables made = RunTables({{0, 2}}, Rho(1'000'000, 1));
  const std::vector<int> exact = {18, 18, 18, 18, 78, 78, 375, 78};
  ASSERT_EQ(made.tables[0].counts.size(), exact.size());
  for (size_t i = 0; i < exact.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(made.tables[0].counts[i]), exact[i], 1) << i;
  }
}

TEST(MeasureTables, GivesLargerTablesALargerShare) {
  const std::vector<double> parts = TableParts(kTableColumns, {{0}, {1, 2}});
  EXPECT_GT(parts[1], parts[0]);
  EXPECT_LT(parts[0] + parts[1], 1);
}

}  // namespace
}  // namespace tacit::release
