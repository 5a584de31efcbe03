#include <gtest/gtest.h>

#include "engine/duckdb/rules/rules.h"
#include "plan/tree/testing/made_trees.h"
#include "plan/tree/walk.h"

namespace tacit::engine::duckdb {
namespace {

bool IsWhole(const std::string& query, bool prepared = true) {
  const tree::Exact asked = plan::tree::testing::TreeOf(query, {.prepared = prepared});
  const tree::ExactNode exact = CountedTable(OverPreparedRows(*asked));
  return tree::As<tree::WholeTable>(tree::ProjectOf(exact.groups.rows).input) != nullptr;
}

TEST(CountedTable, OnlyWhereEveryStoredRowCountsOnce) {
  EXPECT_TRUE(IsWhole("SELECT count(*) FROM visits"));
  EXPECT_TRUE(IsWhole("SELECT count(*) FROM visits WHERE days > 3"));
  EXPECT_TRUE(IsWhole("SELECT count(*) FROM answers", false));
  EXPECT_FALSE(IsWhole("SELECT count(*) FROM visits", false));  // there the cap is to be applied
}

TEST(CountedTable, NotWhereAColumnIsRead) {
  EXPECT_FALSE(IsWhole("SELECT count(days) FROM visits"));
  EXPECT_FALSE(IsWhole("SELECT count(*) FILTER (WHERE days > 1) FROM visits"));
  EXPECT_FALSE(IsWhole("SELECT ward, count(*) FROM visits GROUP BY ward"));
  EXPECT_FALSE(IsWhole("SELECT count(DISTINCT pid) FROM visits"));
}

}  // namespace
}  // namespace tacit::engine::duckdb
