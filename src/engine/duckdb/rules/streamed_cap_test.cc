#include <gtest/gtest.h>

#include "engine/duckdb/rules/rules.h"
#include "plan/tree/testing/made_trees.h"

namespace tacit::engine::duckdb {
namespace {

std::optional<StreamedCap> Streamed(const std::string& query, bool prepared = true) {
  const tree::Exact asked = plan::tree::testing::TreeOf(query, {.prepared = prepared});
  const tree::ExactNode stored = OverPreparedColumns(OverPreparedRows(*asked)).value();
  return StreamCap(PeopleByNumbers(stored)).value();
}

TEST(StreamedCap, AScanKeepsTheStoredOrder) {
  const auto stream = Streamed("SELECT topic, count(*), sum(words) FROM notes GROUP BY topic");
  ASSERT_TRUE(stream);
  EXPECT_FALSE(stream->sorts);
  EXPECT_EQ(stream->groups, 1u);
  ASSERT_EQ(stream->measures.size(), 3u);
  EXPECT_EQ(stream->measures[0].limit, (StreamedLimit{.groups = 1, .rows = 4}))
      << "the people that a key is shown by";
  EXPECT_EQ(stream->measures[1].limit, (StreamedLimit{.groups = 1, .rows = 1}));
  EXPECT_EQ(stream->measures[2].limit, (StreamedLimit{.groups = 1, .rows = 1}));
  EXPECT_EQ(stream->rows_sql.find("ORDER BY"), std::string::npos) << stream->rows_sql;
}

TEST(StreamedCap, AJoinIsSortedByUnitsAndRanks) {
  const auto stream = Streamed(
      "SELECT topic, count(*) FROM notes JOIN people ON people.pid = notes.pid GROUP BY topic");
  ASSERT_TRUE(stream);
  EXPECT_TRUE(stream->sorts);
  EXPECT_NE(stream->rows_sql.find("ORDER BY u, o1, o2"), std::string::npos) << stream->rows_sql;
}

TEST(StreamedCap, NotOverTablesAsImportedNorWithoutACapNorByCells) {
  EXPECT_FALSE(Streamed("SELECT topic, count(*) FROM notes GROUP BY topic", false));
  EXPECT_FALSE(Streamed("SELECT count(*) FROM notes"));
  EXPECT_FALSE(Streamed("SELECT topic, max(words) FROM notes GROUP BY topic"));
}

}  // namespace
}  // namespace tacit::engine::duckdb
