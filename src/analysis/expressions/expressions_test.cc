#include <gtest/gtest.h>

#include "analysis/expressions/check_use.h"
#include "analysis/expressions/columns.h"
#include "analysis/expressions/infer.h"
#include "analysis/testing/asked.h"

namespace tacit::analysis {
namespace {

using testing::Resolved;
using testing::RuleOf;

class OverPeople : public ::testing::Test {
 protected:
  Expression Over(const std::string& text) { return Resolved(known_, people_, text); }

  sql::Range RangeWhere(const std::string& text, const std::vector<std::string>& conditions) {
    std::vector<Expression> filters;
    for (const std::string& condition : conditions) filters.push_back(Over(condition));
    const Result<Inferred> inferred = Infer(known_, Over(text), filters);
    EXPECT_TRUE(inferred.ok()) << text;
    return inferred->range;
  }

  std::string RuleAs(Use use, const std::string& text) {
    const Result<Done> checked = CheckUse(known_, Over(text), use);
    return checked.ok() ? "" : checked.error().rule;
  }

  Known known_ = testing::KnownOf();
  ProtectedRows people_ = testing::Scanned(known_, "people");
};

TEST_F(OverPeople, ARangeIsWhatTheOwnerDeclaredCarriedThroughTheExpression) {
  EXPECT_EQ(RangeWhere("age", {}), (sql::Range{0, 120}));
  EXPECT_EQ(RangeWhere("age * 2 - 1", {}), (sql::Range{-1, 239}));
  EXPECT_EQ(RangeWhere("least(age, 50)", {}), (sql::Range{0, 50, false}));
  EXPECT_FALSE(RangeWhere("pid", {}).IsBounded());
}

TEST_F(OverPeople, ConditionsNarrowTheRangesOfTheirColumns) {
  EXPECT_EQ(RangeWhere("age", {"age >= 18"}), (sql::Range{18, 120}));
  EXPECT_EQ(RangeWhere("age", {"65 > age"}), (sql::Range{0, 65}));
  EXPECT_EQ(RangeWhere("age", {"NOT age > 65"}), (sql::Range{0, 65}));
  EXPECT_EQ(RangeWhere("age", {"age BETWEEN 18 AND 65"}), (sql::Range{18, 65}));
  EXPECT_EQ(RangeWhere("age", {"age IN (30, 20, 40)"}), (sql::Range{20, 40}));
  EXPECT_EQ(RangeWhere("age", {"age = 44"}), (sql::Range{44, 44}));
  EXPECT_EQ(RangeWhere("age", {"age > 18", "age < 65"}), (sql::Range{18, 65}));
  EXPECT_EQ(RangeWhere("age", {"age > 18 AND sex = 'F'"}), (sql::Range{18, 120}));
  EXPECT_EQ(RangeWhere("pid", {"pid BETWEEN 1 AND 9"}), (sql::Range{1, 9}));
  EXPECT_EQ(RangeWhere("age + pid", {"pid BETWEEN 1 AND 9"}), (sql::Range{1, 129}));
}

TEST_F(OverPeople, WhatIsNotReadNarrowsNothing) {
  for (const char* condition : {"age > 18 OR sex = 'F'", "NOT age = 18", "age <> 3", "age > pid",
                                "age + 1 > 18", "age NOT BETWEEN 3 AND 4", "age IS NOT NULL"}) {
    EXPECT_EQ(RangeWhere("age", {condition}), (sql::Range{0, 120})) << condition;
  }
}

TEST_F(OverPeople, AConditionNeverWidens) {
  EXPECT_EQ(RangeWhere("age", {"age < 1000"}), (sql::Range{0, 120}));
  EXPECT_EQ(RangeWhere("age", {"age > -1000"}), (sql::Range{0, 120}));
}

TEST_F(OverPeople, TheUnitIsNamedByABareColumnThatCannotBeMissing) {
  EXPECT_TRUE(NamesUnit(known_, Over("pid")));
  EXPECT_FALSE(NamesUnit(known_, Over("pid + 0")));
  EXPECT_FALSE(NamesUnit(known_, Over("age")));
  EXPECT_TRUE(UsesUnit(known_, Over("pid + 0")));
  known_.nullable.insert("t1");
  EXPECT_FALSE(NamesUnit(known_, Over("pid")));
}

TEST_F(OverPeople, AHiddenColumnMayBeProjectedAndCountedBareAndNothingElse) {
  EXPECT_EQ(RuleAs(Use::kProjection, "name"), "");
  EXPECT_EQ(RuleAs(Use::kUnitCount, "name"), "");
  EXPECT_EQ(RuleAs(Use::kUnitCount, "lower(name)"), "hidden_column");
  EXPECT_EQ(RuleAs(Use::kFilter, "name = 'x'"), "hidden_column");
  EXPECT_EQ(RuleAs(Use::kKey, "name"), "hidden_column");
  EXPECT_EQ(RuleAs(Use::kArgument, "length(name)"), "hidden_column");
}

TEST_F(OverPeople, TheUnitIsNoKeyAndAFilterIsACondition) {
  EXPECT_EQ(RuleAs(Use::kKey, "pid"), "unit_as_key");
  EXPECT_EQ(RuleAs(Use::kKey, "pid / 1000"), "unit_as_key");
  EXPECT_EQ(RuleAs(Use::kArgument, "pid"), "");
  EXPECT_EQ(RuleAs(Use::kFilter, "age"), "wrong_type");
  EXPECT_EQ(RuleAs(Use::kFilter, "age > 3"), "");
}

TEST(Resolve, EveryNameMeansOneColumnAndAggregatesHaveTheirPlace) {
  EXPECT_EQ(RuleOf("SELECT count(*) FROM people WHERE agee > 3"), "unknown_column");
  EXPECT_EQ(RuleOf("SELECT count(*) FROM people a JOIN visits b ON a.pid = b.pid WHERE pid > 3"),
            "ambiguous_name");
  EXPECT_EQ(RuleOf("SELECT count(*) FROM people JOIN visits USING (pid) WHERE pid > 3"), "");
  EXPECT_EQ(RuleOf("SELECT sex FROM people WHERE count(*) > 3 GROUP BY sex"),
            "misplaced_aggregate");
  EXPECT_EQ(RuleOf("SELECT count(*) FROM people WHERE rank() OVER (ORDER BY age) > 3"),
            "window_below");
}

TEST(Resolve, AHiddenColumnServesAJoinAlongTheUnit) {
  EXPECT_EQ(RuleOf("SELECT count(*) FROM people WHERE name = 'x'"), "hidden_column");
  EXPECT_EQ(RuleOf("SELECT count(*) FROM people a JOIN people b ON a.pid = b.pid AND a.name = "
                   "b.name"),
            "hidden_column");
  EXPECT_EQ(RuleOf("SELECT count(DISTINCT name) FROM people"), "");
}

}  // namespace
}  // namespace tacit::analysis
