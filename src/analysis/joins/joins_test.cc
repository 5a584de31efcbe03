#include <gtest/gtest.h>

#include "analysis/expressions/columns.h"
#include "analysis/joins/unit_equality.h"
#include "analysis/testing/asked.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::analysis {
namespace {

using testing::BlockOf;
using testing::RuleOf;

Integer RowsOfOnePerson(const std::string& from) {
  return BlockOf("SELECT count(*) FROM " + from).rows.rows_per_unit;
}

std::string RuleOfJoin(const std::string& from) { return RuleOf("SELECT count(*) FROM " + from); }

TEST(Joins, OnTheUnitTheRowsOfOnePersonMultiply) {
  EXPECT_EQ(RowsOfOnePerson("visits v JOIN notes n ON v.pid = n.pid"), 12);
  EXPECT_EQ(RowsOfOnePerson("people JOIN visits USING (pid)"), 3);
  EXPECT_EQ(RowsOfOnePerson("people JOIN visits USING (pid) JOIN notes USING (pid)"), 12);
  EXPECT_EQ(RowsOfOnePerson("people p LEFT JOIN notes n ON p.pid = n.pid"), 4);
  EXPECT_EQ(RowsOfOnePerson("cards c JOIN people p ON c.owner = p.pid"), 2)
      << "a foreign key that names the unit is as good";
}

TEST(Joins, AnEqualityInWhereIsAsGoodForInnerJoinsAndForNoOthers) {
  EXPECT_EQ(RowsOfOnePerson("visits v, notes n WHERE v.pid = n.pid"), 12);
  EXPECT_EQ(RowsOfOnePerson("visits v JOIN notes n ON v.days = n.words WHERE n.pid = v.pid"), 12);
  EXPECT_EQ(RuleOfJoin("visits v LEFT JOIN notes n ON v.days = n.words WHERE v.pid = n.pid"),
            "join_without_rule");
}

TEST(Joins, OffTheUnitEveryMistakeHasItsRule) {
  EXPECT_EQ(RuleOfJoin("visits v JOIN notes n ON v.days = n.words"), "join_without_rule");
  EXPECT_EQ(RuleOfJoin("visits, notes"), "join_without_rule");
  EXPECT_EQ(RuleOfJoin("visits v JOIN notes n ON v.pid < n.pid"), "join_without_rule");
  EXPECT_EQ(RuleOfJoin("visits v JOIN notes n ON v.pid = n.pid OR v.days = 1"), "join_through_or");
  EXPECT_EQ(RuleOfJoin("visits v JOIN notes n ON NOT (v.pid <> n.pid)"), "join_through_or");
  EXPECT_EQ(RuleOfJoin("visits v JOIN notes n ON v.pid + 0 = n.pid"), "join_on_computed_unit");
  EXPECT_EQ(RuleOfJoin("visits v JOIN gauges g ON v.pid = g.pid"), "join_on_computed_unit")
      << "as doubles two people may be one";
  EXPECT_EQ(RuleOfJoin("answers a JOIN people p ON a.pid = p.pid"), "join_on_same_name");
  EXPECT_EQ(RuleOfJoin("visits v FULL JOIN notes n ON v.pid = n.pid"), "full_join");
}

TEST(Joins, TheCarriedUnitsAreComparedAndWhatIsTrueOfThemIsLeftOut) {
  const Block block =
      BlockOf("SELECT count(*) FROM visits v JOIN notes n ON v.pid = n.pid AND v.days = n.words");
  const RowJoin& join = *As<RowJoin>(block.rows.source);
  EXPECT_EQ(*BareColumn(join.left_unit), (sql::ColumnReference{"t1", kUnitColumn}));
  EXPECT_EQ(*BareColumn(join.right_unit), (sql::ColumnReference{"t2", kUnitColumn}));
  EXPECT_EQ(sql::PrintCanonical(join.on), "t1.days = t2.words");
}

TEST(Joins, FiltersOfTheSideThatMayBeMissingDecideWhatMatchesNotWhatStays) {
  const std::string few = "(SELECT pid, days FROM visits WHERE days > 3) v ON p.pid = v.pid";
  const Block outer = BlockOf("SELECT count(*) FROM people p LEFT JOIN " + few);
  EXPECT_TRUE(outer.rows.filters.empty());
  EXPECT_EQ(sql::PrintCanonical(As<RowJoin>(outer.rows.source)->on),
            "(t1.pid = t2.pid) AND (t2.days > 3)");
  const Block inner = BlockOf("SELECT count(*) FROM people p JOIN " + few);
  EXPECT_EQ(inner.rows.filters.size(), 1u);
}

TEST(Joins, ANullableCopyOfTheUnitCountsNoPeople) {
  const std::string from = " FROM people p LEFT JOIN visits v ON p.pid = v.pid";
  EXPECT_EQ(BlockOf("SELECT count(DISTINCT p.pid)" + from).measures.at(0).kind,
            MeasureKind::kUnits);
  EXPECT_EQ(BlockOf("SELECT count(DISTINCT v.pid)" + from).measures.at(0).kind,
            MeasureKind::kDistinct);
  EXPECT_EQ(BlockOf("SELECT count(DISTINCT v.pid) FROM visits v LEFT JOIN people p ON p.pid = "
                    "v.pid")
                .measures.at(0)
                .kind,
            MeasureKind::kUnits);
}

TEST(Joins, APublicTableMeetsEachRowOnceByTheColumnsThatAreEquated) {
  const Block block = BlockOf("SELECT count(*) FROM visits JOIN wards USING (ward)");
  EXPECT_EQ(block.rows.rows_per_unit, 3);
  const TableScan& wards = *As<TableScan>(As<RowJoin>(block.rows.source)->right);
  EXPECT_TRUE(wards.is_public);
  EXPECT_EQ(wards.unique_on, std::vector<std::string>{"ward"});
  EXPECT_FALSE(As<RowJoin>(block.rows.source)->left_unit);
  EXPECT_EQ(RuleOfJoin("visits v JOIN wards w ON v.days < w.floor"), "public_join");
  EXPECT_EQ(RuleOfJoin("visits v, wards w"), "public_join");
  EXPECT_EQ(RuleOfJoin("visits FULL JOIN wards USING (ward)"), "full_join");
}

TEST(Joins, PublicRowsThatMatchNobodyAreNotCounted) {
  EXPECT_EQ(RuleOfJoin("wards w LEFT JOIN visits v ON v.ward = w.ward"), "public_rows_counted");
  EXPECT_EQ(RuleOf("SELECT count(v.days) FROM wards w LEFT JOIN visits v ON v.ward = w.ward"), "");
  EXPECT_EQ(RuleOfJoin("visits v LEFT JOIN wards w ON v.ward = w.ward"), "");
}

TEST(Joins, ValuesMultiplyByAsManyAsCanBeEqual) {
  const std::string values = "visits JOIN (VALUES (1), (2), (2)) AS x(n) ON ";
  EXPECT_EQ(RowsOfOnePerson(values + "true"), 9);
  EXPECT_EQ(RowsOfOnePerson(values + "days = n"), 6);
  EXPECT_EQ(RowsOfOnePerson(values + "days <= n"), 9);
  EXPECT_EQ(RowsOfOnePerson("visits JOIN (VALUES (1 + 1)) AS x(n) ON days = n"), 3);
}

TEST(Joins, AReleasedTableMeetsRowsByItsOnlyKey) {
  EXPECT_EQ(RuleOfJoin("visits JOIN (SELECT sex AS s FROM people GROUP BY sex) q ON ward = s"), "");
  EXPECT_EQ(RuleOfJoin("visits JOIN (SELECT sex, count(*) AS n FROM people GROUP BY sex) q "
                       "ON days = n"),
            "computed_table_join");
}

TEST(Joins, OnePersonsRowsDoNotBecomeSoManyThatTheyShow) {
  EXPECT_EQ(RowsOfOnePerson("events"), 1000) << "what the owner declared is not multiplied";
  EXPECT_EQ(RowsOfOnePerson("events JOIN people USING (pid)"), 1000);
  EXPECT_EQ(RuleOfJoin("events a JOIN events b ON a.pid = b.pid"), "too_many_rows_per_unit");
}

TEST(UnitEquality, IsOfTwoBareColumnsOfDifferentScansAndOneType) {
  Known known = testing::KnownOf();
  ProtectedRows both = testing::Scanned(known, "people");
  for (const char* table : {"visits", "gauges", "cards"}) {
    for (NamedColumn& column : testing::Scanned(known, table).columns) {
      both.columns.push_back(std::move(column));
    }
  }
  const auto is_one = [&](const std::string& text) {
    return IsUnitEquality(known, testing::Resolved(known, both, text));
  };
  EXPECT_TRUE(is_one("people.pid = visits.pid"));
  EXPECT_TRUE(is_one("visits.pid = people.pid"));
  EXPECT_TRUE(is_one("owner = visits.pid"));
  EXPECT_FALSE(is_one("people.pid = people.pid"));
  EXPECT_FALSE(is_one("people.pid = visits.days"));
  EXPECT_FALSE(is_one("people.pid = number"));
  EXPECT_FALSE(is_one("people.pid = gauges.pid"));
  EXPECT_FALSE(is_one("people.pid + 0 = visits.pid"));
  EXPECT_FALSE(is_one("people.pid >= visits.pid"));
  EXPECT_FALSE(is_one("people.pid = 7"));
}

TEST(UnitEquality, IsTrueOfItselfOnlyWhereNoSideCanBeMissing) {
  Known known = testing::KnownOf();
  ProtectedRows both = testing::Scanned(known, "people");
  for (NamedColumn& column : testing::Scanned(known, "visits").columns) {
    both.columns.push_back(std::move(column));
  }
  const Expression equality = testing::Resolved(known, both, "people.pid = visits.pid");
  EXPECT_TRUE(HoldsByUnits(known, equality));
  known.nullable.insert("t2");
  EXPECT_FALSE(HoldsByUnits(known, equality));
}

}  // namespace
}  // namespace tacit::analysis
