#include <gtest/gtest.h>

#include "engine/duckdb/rules/rules.h"
#include "engine/duckdb/statement/dialect.h"
#include "engine/statement/printer.h"
#include "plan/tree/check.h"
#include "plan/tree/testing/made_trees.h"
#include "plan/tree/walk.h"

namespace tacit::engine::duckdb {
namespace {

using plan::tree::testing::TreeOf;

constexpr char kQuery[] =
    "SELECT sum(least(n, 3)) FROM (SELECT pid, count(*) AS n FROM visits GROUP BY pid) AS q";

TEST(PreparedRows, StoredRowsNeedNoCapAndNoKeyAndOthersDo) {
  const tree::ExactNode imported = OverPreparedRows(*TreeOf(kQuery));
  EXPECT_TRUE(tree::UsesDeploymentKey(imported));
  const tree::ExactNode stored = OverPreparedRows(*TreeOf(kQuery, {.prepared = true}));
  EXPECT_FALSE(tree::UsesDeploymentKey(stored));
  EXPECT_EQ(tree::BrokenWall(stored), "");
}

TEST(PreparedRows, TheSecondCapStaysWhereItWas) {
  const tree::ExactNode stored = OverPreparedRows(*TreeOf(kQuery, {.prepared = true}));
  ASSERT_NE(tree::As<tree::UnitCap>(stored.groups.rows), nullptr);
  const std::string text = statement::PrintExact(stored, StatementDialect()).value();
  EXPECT_NE(text.find("QUALIFY row_number() OVER (PARTITION BY u"), std::string::npos) << text;
  EXPECT_EQ(text.find("tacit_row_hash"), std::string::npos) << text;
}

}  // namespace
}  // namespace tacit::engine::duckdb
