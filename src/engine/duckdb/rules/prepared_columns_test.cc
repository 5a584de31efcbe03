#include <gtest/gtest.h>

#include "engine/duckdb/rules/rules.h"
#include "plan/tree/testing/made_trees.h"
#include "plan/tree/walk.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::engine::duckdb {
namespace {

tree::ExactNode Stored(const std::string& query) {
  const tree::Exact asked = plan::tree::testing::TreeOf(query, {.prepared = true});
  return OverPreparedColumns(OverPreparedRows(*asked)).value();
}

std::string FilterOf(const tree::ExactNode& exact) {
  return sql::PrintCanonical(tree::ProjectOf(exact.groups.rows).filters.at(0).expression);
}

TEST(PreparedColumns, ABareColumnIsReadFromItsGridAndNeedsNoClamp) {
  const tree::ExactNode exact = Stored("SELECT sum(days) FROM visits");
  ASSERT_TRUE(ReadsGridColumn(exact.groups.aggregates[0]));
  EXPECT_TRUE(exact.groups.aggregates[0].on_grid);
}

TEST(PreparedColumns, AnExpressionIsNot) {
  EXPECT_FALSE(ReadsGridColumn(Stored("SELECT sum(days + 1) FROM visits").groups.aggregates[0]));
}

TEST(PreparedColumns, TablesAsImportedHaveNone) {
  const tree::Exact asked = plan::tree::testing::TreeOf("SELECT sum(days) FROM visits");
  const tree::ExactNode exact = OverPreparedColumns(OverPreparedRows(*asked)).value();
  EXPECT_FALSE(ReadsGridColumn(exact.groups.aggregates[0]));
}

TEST(PreparedColumns, ARangeThatAFilterNarrowsIsClampedAgainUnlessTheFilterIsAskedOfTheGrid) {
  // Inside the bounds both ends compare as the stored integer does.
  const tree::ExactNode inside = Stored("SELECT sum(days) FROM visits WHERE days BETWEEN 3 AND 9");
  EXPECT_TRUE(inside.groups.aggregates[0].on_grid);
  EXPECT_NE(FilterOf(inside).find("tacit_grid_days"), std::string::npos) << FilterOf(inside);
  // 30 is where everything above it was clamped to: days <= 30 is not what tacit_grid_days <= 30
  // is.
  const tree::ExactNode edge = Stored("SELECT sum(days) FROM visits WHERE days BETWEEN 3 AND 30");
  EXPECT_EQ(FilterOf(edge).find("tacit_grid_days"), std::string::npos) << FilterOf(edge);
  EXPECT_FALSE(edge.groups.aggregates[0].on_grid);
}

TEST(PreparedColumns, MeasuresThatShareAColumnStillDo) {
  const tree::ExactNode exact = Stored("SELECT sum(days), count(days), avg(days) FROM visits");
  EXPECT_EQ(tree::ProjectOf(exact.groups.rows).columns.size(), 1u);
  for (const tree::Aggregate& aggregate : exact.groups.aggregates) {
    EXPECT_EQ(aggregate.argument, "a1");
  }
}

}  // namespace
}  // namespace tacit::engine::duckdb
