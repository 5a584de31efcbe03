#include <gtest/gtest.h>

#include "engine/duckdb/rules/rules.h"
#include "engine/duckdb/statement/dialect.h"
#include "engine/statement/printer.h"
#include "plan/tree/check.h"
#include "plan/tree/testing/made_trees.h"

namespace tacit::engine::duckdb {
namespace {

using plan::tree::testing::TreeOf;

TEST(DistinctJoins, PeopleAreStillComparedAfterAJoinByAnotherKey) {
  const std::optional<LoosenedJoins> loosened = LoosenJoins(
      *TreeOf("SELECT count(*) FROM visits a JOIN visits b ON a.pid = b.pid AND a.vid = b.vid"));
  ASSERT_TRUE(loosened);
  ASSERT_EQ(loosened->by.size(), 1u);
  EXPECT_EQ(loosened->by[0][0], (StoredColumn{"visits", "vid"}));
  EXPECT_EQ(tree::BrokenWall(loosened->exact), "");
  const std::string text = statement::PrintExact(loosened->exact, StatementDialect()).value();
  EXPECT_NE(text.find(R"(coalesce("t1"."tacit_unit" = "t2"."tacit_unit", false))"),
            std::string::npos)
      << text;
}

TEST(DistinctJoins, AnEqualityInWhereServesAnInnerJoinToo) {
  EXPECT_TRUE(LoosenJoins(
      *TreeOf("SELECT count(*) FROM visits a JOIN visits b ON a.pid = b.pid WHERE a.vid = b.vid")));
}

TEST(DistinctJoins, NothingWithoutAnotherKeyOrInAnOuterJoin) {
  EXPECT_FALSE(
      LoosenJoins(*TreeOf("SELECT count(*) FROM visits a JOIN people b ON a.pid = b.pid")));
  EXPECT_FALSE(LoosenJoins(*TreeOf(
      "SELECT count(*) FROM visits a LEFT JOIN visits b ON a.pid = b.pid AND a.vid = b.vid")));
}

}  // namespace
}  // namespace tacit::engine::duckdb
