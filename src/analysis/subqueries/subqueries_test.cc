#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/testing/asked.h"

namespace tacit::analysis {
namespace {

using testing::BlockOf;
using testing::FactsOf;
using testing::RuleOf;
using ::testing::SizeIs;

std::string RuleWhere(const std::string& condition) {
  return RuleOf("SELECT count(*) FROM people p WHERE " + condition);
}

TEST(UnitSubquery, KeepsTheRowsAroundItAndTheirNumber) {
  for (const char* condition :
       {"EXISTS (SELECT 1 FROM visits v WHERE v.pid = p.pid AND v.days > 3)",
        "NOT EXISTS (SELECT 1 FROM visits v WHERE v.pid = p.pid)",
        "p.pid IN (SELECT pid FROM visits)", "p.pid NOT IN (SELECT pid FROM visits WHERE days > 3)",
        "(SELECT sum(days) FROM visits v WHERE v.pid = p.pid) > 3"}) {
    const Facts facts = FactsOf(std::string("SELECT count(*) FROM people p WHERE ") + condition);
    ASSERT_THAT(facts.blocks, SizeIs(1)) << condition;
    EXPECT_EQ(facts.blocks[0].rows.rows_per_unit, 1) << condition;
    const auto* join = As<RowJoin>(facts.blocks[0].rows.source);
    ASSERT_NE(join, nullptr) << condition;
    EXPECT_EQ(join->kind, sql::JoinKind::kLeft);
    EXPECT_TRUE(join->left_unit && join->right_unit) << condition;
    EXPECT_TRUE(As<UnitQuery>(join->right)->grouped) << condition;
  }
}

TEST(UnitSubquery, IsGroupedByWhatItEquatesBesideTheUnit) {
  const Block block = BlockOf(
      "SELECT count(*) FROM visits v WHERE EXISTS (SELECT 1 FROM notes n WHERE n.pid = v.pid AND "
      "n.words = v.days)");
  EXPECT_EQ(block.rows.rows_per_unit, 3);
  EXPECT_THAT(As<UnitQuery>(As<RowJoin>(block.rows.source)->right)->group_by, SizeIs(1));
}

TEST(UnitSubquery, IsOfTheSamePersonAndTiedByEqualities) {
  EXPECT_EQ(RuleWhere("EXISTS (SELECT 1 FROM visits v WHERE v.days = p.age)"),
            "subquery_over_rows");
  EXPECT_EQ(RuleWhere("EXISTS (SELECT 1 FROM visits v WHERE v.pid = p.pid AND v.days < p.age)"),
            "correlated_subquery");
  EXPECT_EQ(RuleWhere("EXISTS (SELECT 1 FROM visits v WHERE v.pid = p.pid AND v.weight = p.age)"),
            "correlated_subquery")
      << "a double and a whole number meet more often than once";
  EXPECT_EQ(RuleWhere("p.age IN (SELECT days FROM visits)"), "subquery_over_rows");
  EXPECT_EQ(RuleWhere("(SELECT days FROM visits v WHERE v.pid = p.pid) > 3"),
            "correlated_subquery");
  EXPECT_EQ(RuleWhere("EXISTS (SELECT 1 FROM visits v WHERE v.pid = p.pid AND v.doctor = p.name)"),
            "hidden_column");
}

TEST(UnitSubquery, ShowsNoHiddenColumnByItsValue) {
  EXPECT_EQ(RuleWhere("(SELECT max(doctor) FROM visits v WHERE v.pid = p.pid) = 'x'"),
            "hidden_column");
  EXPECT_EQ(RuleWhere("(SELECT max(ward) FROM visits v WHERE v.pid = p.pid) = 'A'"), "");
}

TEST(Constants, AreValuesThatAreReleasedOrPublic) {
  const Facts released =
      FactsOf("SELECT count(*) FROM people WHERE age > (SELECT avg(age) FROM people)");
  EXPECT_THAT(released.blocks, SizeIs(2));
  const Facts listed =
      FactsOf("SELECT count(*) FROM visits WHERE ward IN (SELECT ward FROM wards WHERE floor > 1)");
  ASSERT_THAT(listed.blocks, SizeIs(1));
  EXPECT_THAT(listed.blocks[0].constants, SizeIs(2)) << "the values, and whether NULL is one";
  EXPECT_THAT(listed.public_reads, SizeIs(1));
}

TEST(Constants, HaveOneColumnOfATypeThatIsWrittenOneWay) {
  EXPECT_EQ(RuleWhere("age > (SELECT ward, floor FROM wards)"), "wrong_shape");
  EXPECT_EQ(RuleOf("SELECT count(*) FROM visits WHERE weight IN (SELECT floor FROM wards)"),
            "in_subquery_below");
}

TEST(Constants, DoNotDependOnTheRowAroundThem) {
  EXPECT_EQ(RuleWhere("age > (SELECT max(floor) FROM wards WHERE floor < age)"),
            "correlated_subquery");
  EXPECT_EQ(RuleWhere("age IN (SELECT floor FROM wards WHERE floor < p.age)"),
            "correlated_subquery");
}

TEST(Subqueries, OverRowsOfOtherPeopleSteerNothingAbove) {
  EXPECT_EQ(RuleOf("SELECT floor FROM wards WHERE ward IN (SELECT ward FROM visits)"),
            "subquery_over_rows");
  EXPECT_EQ(RuleOf("SELECT floor FROM wards WHERE floor < (SELECT count(*) FROM visits)"), "");
}

}  // namespace
}  // namespace tacit::analysis
