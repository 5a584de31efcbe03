#include <gtest/gtest.h>

#include "analysis/expressions/columns.h"
#include "analysis/relations/unit_path.h"
#include "analysis/testing/asked.h"

namespace tacit::analysis {
namespace {

using testing::BlockOf;
using testing::RuleOf;

TEST(Scan, CarriesTheUnitAndAsManyRowsOfOneAsThePolicySays) {
  Known known = testing::KnownOf();
  const ProtectedRows visits = testing::Scanned(known, "visits");
  EXPECT_EQ(visits.rows.rows_per_unit, 3);
  EXPECT_EQ(*BareColumn(visits.rows.unit), (sql::ColumnReference{"t1", kUnitColumn}));
  EXPECT_TRUE(ColumnOf(known, {"t1", "pid"}).equals_unit);
  EXPECT_FALSE(ColumnOf(known, {"t1", "days"}).is_unit);
  EXPECT_TRUE(ColumnOf(known, {"t1", "doctor"}).hidden);
  EXPECT_EQ(ColumnOf(known, {"t1", "days"}).range, (sql::Range{0, 30}));
}

TEST(Scan, ARowThatIsAPersonCarriesNoUnit) {
  Known known = testing::KnownOf();
  EXPECT_FALSE(testing::Scanned(known, "answers").rows.unit);
  EXPECT_EQ(testing::Scanned(known, "answers").rows.rows_per_unit, 1);
}

TEST(Scan, AForeignKeyNamesThePersonWhereItRefersToTheUnit) {
  Known known = testing::KnownOf();
  testing::Scanned(known, "cards");
  EXPECT_TRUE(ColumnOf(known, {"t1", "owner"}).equals_unit);
  EXPECT_FALSE(ColumnOf(known, {"t1", "number"}).equals_unit);
}

TEST(Scan, AParentKeyThatNothingKeepsUniqueLeadsToNobody) {
  EXPECT_EQ(RuleOf("SELECT count(*) FROM loans"), "parent_key");
  EXPECT_EQ(RuleOf("SELECT count(*) FROM cards"), "") << "its key is the unit itself";
}

TEST(UnitPath, AKeyThatTheDatabaseKeepsUniqueIsEnoughAndSoIsAPreparedCopy) {
  const policy::UnitPath path{.hops = {{"loans", "card", "cards", "number"}},
                              .root_table = "cards",
                              .root_column = "owner"};
  policy::Schema schema{{{"cards", {{"number", kIntegerType}, {"owner", kIntegerType}}},
                         {"loans", {{"card", kIntegerType}}}}};
  EXPECT_EQ(CheckUnitPath(schema, path, schema.tables[1], {}).error().rule, "parent_key");
  schema.tables[1].prepared = true;
  EXPECT_TRUE(CheckUnitPath(schema, path, schema.tables[1], {}).ok());
  schema.tables[1].prepared = false;
  schema.tables[0].columns[0].unique = true;
  EXPECT_TRUE(CheckUnitPath(schema, path, schema.tables[1], {}).ok());
  schema.tables[1].columns[0].type = kDoubleType;
  EXPECT_EQ(CheckUnitPath(schema, path, schema.tables[1], {}).error().rule, "parent_key")
      << "a key of another type may be equal to two";
  schema.tables[1].columns[0] = {"card", kIntegerType, false, "HUGEINT"};
  EXPECT_EQ(CheckUnitPath(schema, path, schema.tables[1], {}).error().rule, "type_without_rule");
}

TEST(UnionAll, RowsOfOnePersonAddUp) {
  const Block block = BlockOf(
      "SELECT count(*), count(DISTINCT pid) FROM (SELECT pid, days FROM visits UNION ALL SELECT "
      "pid, words FROM notes) q");
  EXPECT_EQ(block.rows.rows_per_unit, 7);
  EXPECT_TRUE(As<RowUnion>(block.rows.source) != nullptr);
}

TEST(UnionAll, AColumnIsTheUnitOnlyIfItIsOnBothSides) {
  const auto counted = [](const std::string& left, const std::string& right) {
    return BlockOf("SELECT count(DISTINCT x) FROM (SELECT " + left +
                   " AS x FROM visits UNION ALL "
                   "SELECT " +
                   right + " FROM notes) q")
        .measures.at(0)
        .kind;
  };
  EXPECT_EQ(counted("pid", "pid"), MeasureKind::kUnits);
  EXPECT_EQ(counted("pid", "words"), MeasureKind::kDistinct);
  EXPECT_EQ(counted("days", "pid"), MeasureKind::kDistinct);
}

TEST(UnionAll, ARangeCoversBothSides) {
  const Block block = BlockOf(
      "SELECT sum(x) FROM (SELECT pid, age AS x FROM people UNION ALL SELECT pid, -words FROM "
      "notes) q");
  EXPECT_EQ(block.measures.at(0).grid.low_steps, -9);
  EXPECT_EQ(block.measures.at(0).grid.high_steps, 120);
}

TEST(UnionAll, UnitsOfDifferentTypesAndRowsThatAreUnitsHaveNoRule) {
  const auto rule = [](const std::string& left, const std::string& right) {
    return RuleOf("SELECT count(*) FROM (" + left + " UNION ALL " + right + ") q");
  };
  EXPECT_EQ(rule("SELECT days FROM visits", "SELECT level FROM gauges"), "set_operation_below");
  EXPECT_EQ(rule("SELECT days FROM visits", "SELECT score FROM answers"), "set_operation_below");
  EXPECT_EQ(rule("SELECT days FROM visits", "SELECT topic FROM notes"), "set_operation_below");
  EXPECT_EQ(rule("SELECT days FROM visits", "SELECT pid, words FROM notes"), "wrong_shape");
  EXPECT_EQ(rule("SELECT days FROM visits", "SELECT words FROM notes"), "");
  EXPECT_EQ(rule("SELECT 'a' AS k FROM visits", "SELECT topic FROM notes"), "")
      << "a bare string is a text";
  EXPECT_EQ(RuleOf("SELECT count(*) FROM (SELECT pid FROM visits UNION SELECT pid FROM notes) q"),
            "set_operation_below");
}

}  // namespace
}  // namespace tacit::analysis
