#include <gtest/gtest.h>

#include "engine/duckdb/rules/rules.h"
#include "plan/tree/testing/made_trees.h"
#include "plan/tree/walk.h"

namespace tacit::engine::duckdb {
namespace {

tree::CountPeople Counted(const std::string& query, bool prepared = true) {
  const tree::Exact asked = plan::tree::testing::TreeOf(query, {.prepared = prepared});
  return PeopleByNumbers(OverPreparedRows(*asked)).groups.people;
}

TEST(PeopleByNumbers, OverOnePreparedTableWithSeveralRowsOfAPerson) {
  const std::string query = "SELECT ward, count(DISTINCT pid) FROM visits GROUP BY ward";
  EXPECT_EQ(Counted(query), tree::CountPeople::kByNumbers);
  EXPECT_EQ(Counted(query, false), tree::CountPeople::kBySets);
}

TEST(PeopleByNumbers, WhereEachPersonHasOneRowRowsAreCounted) {
  EXPECT_EQ(Counted("SELECT sex, count(DISTINCT pid) FROM people GROUP BY sex"),
            tree::CountPeople::kRows);
}

TEST(PeopleByNumbers, NotWhereARowComesTwiceOrMayBeMissing) {
  EXPECT_EQ(Counted("SELECT count(DISTINCT visits.pid) FROM visits JOIN people ON people.pid = "
                    "visits.pid"),
            tree::CountPeople::kByNumbers);
  EXPECT_EQ(Counted("SELECT count(DISTINCT a.pid) FROM visits a JOIN notes b ON a.pid = b.pid"),
            tree::CountPeople::kBySets);
  EXPECT_EQ(
      Counted("SELECT count(DISTINCT people.pid) FROM people LEFT JOIN visits ON people.pid = "
              "visits.pid"),
      tree::CountPeople::kBySets);
  EXPECT_EQ(
      Counted("SELECT count(DISTINCT pid) FROM (SELECT pid, days FROM visits UNION ALL SELECT "
              "pid, words FROM notes) AS q"),
      tree::CountPeople::kBySets);
}

}  // namespace
}  // namespace tacit::engine::duckdb
