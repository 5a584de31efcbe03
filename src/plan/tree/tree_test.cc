#include "plan/tree/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/tree/bytes.h"
#include "plan/tree/check.h"
#include "plan/tree/make.h"
#include "plan/tree/testing/made_trees.h"
#include "plan/tree/walk.h"
#include "plan/tree/words.h"
#include "sql/walk.h"

namespace tacit::plan::tree {
namespace {

using ::testing::HasSubstr;
using testing::TreeOf;

const char* const kQueries[] = {
    "SELECT count(*) FROM visits",
    "SELECT sex, avg(age) FROM people GROUP BY sex",
    "SELECT topic, count(*) FROM notes GROUP BY topic",
    "SELECT ward, sum(days) FROM visits JOIN people ON people.pid = visits.pid GROUP BY ward",
    "SELECT floor, count(*) FROM visits JOIN wards USING (ward) GROUP BY floor",
    "SELECT sum(least(n, 3)) FROM (SELECT pid, count(*) AS n FROM visits GROUP BY pid) AS q",
    "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY pid ORDER BY days) AS r FROM "
    "visits) AS q WHERE r = 1",
    "SELECT count(*) FROM (SELECT pid, days FROM visits UNION ALL SELECT pid, words FROM notes) AS "
    "q",
    "SELECT count(*) FROM people WHERE EXISTS (SELECT 1 FROM visits WHERE visits.pid = people.pid)",
    "SELECT sum(score) FROM answers"};

// The tree with its Project's input changed.
template <class Change>
ExactNode Changed(const Exact& exact, Change change) {
  ExactNode changed = *exact;
  Project project = ProjectOf(changed.groups.rows);
  change(project);
  changed.groups.rows = WithProject(changed.groups.rows, project);
  return changed;
}

TEST(Tree, EveryShapeKeepsBothWalls) {
  for (const char* query : kQueries) EXPECT_EQ(BrokenWall(*TreeOf(query)), "") << query;
}

TEST(Tree, RowsAreCappedAgainForEveryShapeButThePlainOnes) {
  int capped = 0;
  for (const char* query : kQueries) {
    const Exact exact = TreeOf(query);
    capped += As<UnitCap>(exact->groups.rows) != nullptr;
  }
  EXPECT_EQ(capped, 4);  // two queries inside each person, the union, EXISTS
}

TEST(Tree, ACapOverRowsWithoutPlacesIsFound) {
  const Exact exact = TreeOf(kQueries[2]);
  ASSERT_NE(PlacesOf(exact->groups.rows), nullptr);
  ExactNode broken = *exact;
  broken.groups.rows = PlacesOf(exact->groups.rows)->input;
  EXPECT_THAT(BrokenWall(broken), HasSubstr("no places"));
  broken.groups.cap.reset();
  EXPECT_THAT(BrokenWall(broken), HasSubstr("no places")) << "a number is capped still";
  broken.groups.aggregates[0].measure.cap.reset();
  EXPECT_EQ(BrokenWall(broken), "");
}

TEST(Tree, AJoinOfPeopleEquatesTheirUnitsWhateverItIsMadeWith) {
  const Exact exact = TreeOf(kQueries[3]);
  const Join& join = *As<Join>(ProjectOf(exact->groups.rows).input);
  const Rows made = Makers::OfJoin(sql::JoinKind::kInner, join.left, join.right, {}, std::nullopt);
  ASSERT_TRUE(As<Join>(made)->units());
  EXPECT_EQ(As<Join>(made)->units()->first, *UnitOf(join.left));
  EXPECT_EQ(As<Join>(made)->units()->second, *UnitOf(join.right));
}

TEST(Tree, UnitsThatASideDoesNotCarryAreFound) {
  const Exact other = TreeOf(kQueries[7]);
  const ExactNode broken = Changed(TreeOf(kQueries[3]), [&](Project& project) {
    Join join = *As<Join>(project.input);
    join.right = ProjectOf(other->groups.rows).input;
    project.input = Rows(RowsNode{std::move(join)});
  });
  EXPECT_THAT(BrokenWall(broken), HasSubstr("do not carry"));
}

TEST(Tree, AJoinWithPeopleThatWasMadeWithoutThemIsFound) {
  const Exact other = TreeOf(kQueries[0]);
  const ExactNode broken = Changed(TreeOf(kQueries[4]), [&](Project& project) {
    Join join = *As<Join>(project.input);  // with a public table
    join.right = ProjectOf(other->groups.rows).input;
    project.input = Rows(RowsNode{std::move(join)});
  });
  EXPECT_THAT(BrokenWall(broken), HasSubstr("does not equate"));
}

TEST(Tree, AScanWithoutItsCapIsFound) {
  const ExactNode broken = Changed(TreeOf(kQueries[0]), [](Project& project) {
    project.input = Rows(RowsNode{Scan(As<RowCap>(project.input)->scan)});
  });
  EXPECT_THAT(BrokenWall(broken), HasSubstr("visits is not capped"));
  const ExactNode wider = Changed(TreeOf(kQueries[0]), [](Project& project) {
    RowCap cap = *As<RowCap>(project.input);
    cap.rows += 1;
    project.input = Rows(RowsNode{std::move(cap)});
  });
  EXPECT_THAT(BrokenWall(wider), HasSubstr("more than was declared"));
  const ExactNode imported = Changed(TreeOf(kQueries[0]), [](Project& project) {
    project.input = Rows(RowsNode{PreparedScan{As<RowCap>(project.input)->scan}});
  });
  EXPECT_THAT(BrokenWall(imported), HasSubstr("is not prepared"));
}

TEST(Tree, AWindowOverSeveralPeopleIsFound) {
  const ExactNode broken = Changed(TreeOf(kQueries[6]), [](Project& project) {
    PerPerson query = *As<PerPerson>(project.input);
    query.items[0].expression =
        sql::Transform(query.items[0].expression, [](const Expression& node) -> Expression {
          const auto* call = sql::As<sql::WindowCall>(node);
          if (call == nullptr) return node;
          sql::WindowCall mixed = *call;
          mixed.window.partition_by.clear();
          return sql::MakeExpression(std::move(mixed));
        });
    project.input = Rows(RowsNode{std::move(query)});
  });
  EXPECT_THAT(BrokenWall(broken), HasSubstr("not partitioned by the unit"));
}

TEST(Tree, AMissingSecondCapIsFound) {
  ExactNode broken = *TreeOf(kQueries[5]);
  broken.groups.rows = As<UnitCap>(broken.groups.rows)->input;
  EXPECT_THAT(BrokenWall(broken), HasSubstr("not capped again"));
}

TEST(Tree, PeopleWhoAreToldApartByNothingAreFound) {
  const ExactNode broken =
      Changed(TreeOf(kQueries[0]), [](Project& project) { project.person = EachRow{}; });
  EXPECT_THAT(BrokenWall(broken), HasSubstr("told apart"));
}

TEST(Tree, TheUnitIsNoColumnThatAnyoneReads) {
  for (const char* query : kQueries) {
    for (const auto& [relation, columns] : ColumnsRead(*TreeOf(query))) {
      EXPECT_FALSE(columns.contains(analysis::kUnitColumn)) << relation << " of " << query;
    }
  }
}

TEST(Tree, TheKeyIsNeededWhereRowsAreCappedByTheHash) {
  EXPECT_TRUE(UsesDeploymentKey(*TreeOf(kQueries[0])));
  EXPECT_FALSE(UsesDeploymentKey(*TreeOf(kQueries[9])));
}

TEST(Tree, WordsSayTheCapsFromTheGroupsDownToTheScan) {
  EXPECT_THAT(
      Words(TreeOf(kQueries[2])),
      ::testing::ElementsAre(
          "a row for each group by k1, with its number of people, of each person at most 4 rows in "
          "each of at most 1 group",
          "  m1: the number of rows, of each person at most 1 row in each of at most 1 group",
          "  each person's groups and the rows in each in the order of the keyed hash",
          "    rows with k1 = t1.topic",
          "      t1: of notes the first 4 rows of each person, by the keyed hash"));
}

TEST(Tree, EveryShapeHasWordsAndTakesMemory) {
  for (const char* query : kQueries) {
    const Exact exact = TreeOf(query);
    EXPECT_GE(Words(exact).size(), 4u) << query;
    EXPECT_GT(BytesOf(exact), 1000u) << query;
  }
  EXPECT_GT(BytesOf(TreeOf("SELECT count(*) FROM people WHERE age IN (1, 2, 3, 4, 5, 6, 7, 8)")),
            BytesOf(TreeOf("SELECT count(*) FROM people WHERE age IN (1, 2)")));
}

}  // namespace
}  // namespace tacit::plan::tree
