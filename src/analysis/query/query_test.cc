#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/query/environment.h"
#include "analysis/query/recursive.h"
#include "analysis/query/stars.h"
#include "analysis/testing/asked.h"
#include "sql/parse.h"

namespace tacit::analysis {
namespace {

using testing::BlockOf;
using ::testing::ElementsAre;
using testing::FactsOf;
using ::testing::IsEmpty;
using testing::RuleOf;
using ::testing::SizeIs;

TEST(Environment, FindsTheNearestNameAndSaysWhereItStands) {
  const sql::CommonTable far{"a", {}, {}, {}}, near{"a", {}, {}, {}}, other{"b", {}, {}, {}};
  const Environment outer{
      .outer = nullptr, .with = {{&far, std::nullopt}, {&other, std::nullopt}}, .rows = nullptr};
  const Environment inner{.outer = &outer, .with = {{&near, std::nullopt}}, .rows = nullptr};
  const Environment* at = nullptr;
  EXPECT_EQ(inner.FindCommonTable("a", &at)->written, &near);
  EXPECT_EQ(at, &inner);
  EXPECT_EQ(inner.FindCommonTable("b", &at)->written, &other);
  EXPECT_EQ(at, &outer);
  EXPECT_EQ(inner.FindCommonTable("c", &at), nullptr);
}

TEST(CommonTables, OverProtectedRowsAreScannedAnewAtEachUse) {
  const std::string with = "WITH v AS (SELECT pid, days FROM visits) ";
  EXPECT_EQ(BlockOf(with + "SELECT count(*) FROM v").rows.rows_per_unit, 3);
  EXPECT_EQ(BlockOf(with + "SELECT count(*) FROM v a JOIN v b ON a.pid = b.pid").rows.rows_per_unit,
            9);
}

TEST(CommonTables, OverAggregatesAreReleasedOnce) {
  EXPECT_THAT(FactsOf("WITH v AS (SELECT ward, count(*) AS n FROM visits GROUP BY ward) "
                      "SELECT a.n, b.n FROM v a JOIN v b ON a.ward = b.ward")
                  .blocks,
              SizeIs(1));
}

TEST(CommonTables, ThatNothingUsesAreCheckedAndNotPaidFor) {
  EXPECT_THAT(FactsOf("WITH v AS (SELECT count(*) FROM visits) SELECT count(*) FROM people").blocks,
              SizeIs(1));
  EXPECT_EQ(RuleOf("WITH v AS (SELECT count(nothing) FROM visits) SELECT count(*) FROM people"),
            "unknown_column");
}

TEST(CommonTables, DoNotTakeTheNamesOfReleasedTables) {
  EXPECT_EQ(RuleOf("WITH tacit_noisy_1 AS (SELECT 1 AS n) SELECT n FROM tacit_noisy_1"),
            "ambiguous_name");
}

TEST(Select, OverPublicTablesStaysSqlAndIsFree) {
  const Facts facts = FactsOf("SELECT floor, count(*) FROM wards GROUP BY floor");
  EXPECT_THAT(facts.blocks, IsEmpty());
  EXPECT_THAT(facts.public_reads, SizeIs(1));
}

TEST(Select, GivesNoRowsOfPeople) {
  EXPECT_EQ(RuleOf("SELECT age FROM people"), "rows_out");
  EXPECT_EQ(RuleOf("SELECT age FROM (SELECT age, sex FROM people) p"), "rows_out");
  EXPECT_EQ(RuleOf("SELECT count(*) FROM (SELECT * FROM people) p WHERE p.age > 3"), "");
}

TEST(SetOperations, AreOfReleasesOrUniteRows) {
  EXPECT_THAT(FactsOf("SELECT count(*) FROM people UNION SELECT count(*) FROM visits").blocks,
              SizeIs(2));
  EXPECT_EQ(BlockOf("SELECT count(*) FROM (SELECT pid FROM visits UNION ALL SELECT pid FROM notes)"
                    " AS q")
                .rows.rows_per_unit,
            7);
  EXPECT_EQ(RuleOf("SELECT count(*) FROM (SELECT pid FROM visits UNION SELECT pid FROM notes) q"),
            "set_operation_below");
}

TEST(Stars, AreTheColumnsOfOneTableOrOfAllButWhatUsingMerged) {
  ProtectedRows rows;
  for (const char* table : {"a", "b"}) {
    for (const char* name : {"pid", "age"}) rows.columns.push_back({table, name, {}, false});
  }
  rows.columns[2].merged = true;
  const auto names = [&](const std::string& items) {
    const sql::Statement written = sql::Parse("SELECT " + items + " FROM a").value();
    std::vector<std::string> found;
    for (const auto& item : ExpandStars(*sql::As<sql::Select>(written.query), rows)) {
      const auto* column = sql::As<sql::ColumnReference>(item.expression);
      found.push_back(column == nullptr ? "?" : column->table + "." + column->column);
    }
    return found;
  };
  EXPECT_THAT(names("*"), ElementsAre("a.pid", "a.age", "b.age"));
  EXPECT_THAT(names("b.*, 1"), ElementsAre("b.age", "?"));
}

TEST(Recursion, IsOverReleasedAndPublicValuesOnly) {
  const Facts facts = FactsOf(
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM "
      "r");
  EXPECT_THAT(facts.blocks, IsEmpty());
  EXPECT_EQ(RuleOf("WITH RECURSIVE r(n) AS (SELECT age FROM people UNION ALL SELECT n + 1 FROM r) "
                   "SELECT count(*) FROM r"),
            "recursive_query");
  EXPECT_NE(RuleOf("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT r.n + 1 FROM r JOIN people p "
                   "ON p.age = r.n) SELECT n FROM r"),
            "");
}

}  // namespace
}  // namespace tacit::analysis
