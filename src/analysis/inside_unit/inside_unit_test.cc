#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/inside_unit/infer_inside.h"
#include "analysis/inside_unit/value_sources.h"
#include "analysis/testing/asked.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::analysis {
namespace {

using testing::BlockOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::RuleOf;

Integer RowsInside(const std::string& inner) {
  return BlockOf("SELECT count(*) FROM (" + inner + ") q").rows.rows_per_unit;
}

std::string RuleInside(const std::string& inner) {
  return RuleOf("SELECT count(*) FROM (" + inner + ") q");
}

TEST(UnitQuery, GroupedByTheUnitAloneItLeavesOneRowOfEachPerson) {
  EXPECT_EQ(RowsInside("SELECT pid, count(*) AS n FROM visits GROUP BY pid"), 1);
  EXPECT_EQ(RowsInside("SELECT DISTINCT pid FROM visits"), 1);
  EXPECT_EQ(RowsInside("SELECT v.pid FROM visits v JOIN notes n ON v.pid = n.pid GROUP BY "
                       "v.pid, n.pid"),
            1);
}

TEST(UnitQuery, GroupedByMoreItLeavesAsManyRowsAsThereWere) {
  EXPECT_EQ(RowsInside("SELECT pid, ward, count(*) AS n FROM visits GROUP BY pid, ward"), 3);
  EXPECT_EQ(RowsInside("SELECT DISTINCT pid, ward FROM visits"), 3);
}

TEST(UnitQuery, ANullableCopyOfTheUnitIsNoUnitHoweverItIsRenamed) {
  const std::string joined =
      "SELECT p.pid AS mine, v.pid AS copy, count(*) AS n FROM people p LEFT JOIN visits v ON "
      "p.pid = v.pid GROUP BY p.pid, v.pid";
  EXPECT_EQ(RuleInside("SELECT mine, count(*) FROM (" + joined + ") r GROUP BY mine"), "");
  EXPECT_EQ(RuleInside("SELECT copy, count(*) FROM (" + joined + ") r GROUP BY copy"),
            "unit_as_key");
  EXPECT_EQ(RuleInside("SELECT sum(n) OVER (PARTITION BY copy) FROM (" + joined + ") r"),
            "window_below");
  EXPECT_EQ(RuleInside("SELECT DISTINCT ON (copy) copy FROM (" + joined + ") r"), "distinct_on");
}

TEST(UnitQuery, WindowsArePartitionedByTheUnit) {
  EXPECT_EQ(RowsInside("SELECT lag(days) OVER (PARTITION BY pid ORDER BY days) FROM visits"), 3);
  EXPECT_EQ(RuleInside("SELECT lag(days) OVER (ORDER BY days) FROM visits"), "window_below");
  EXPECT_EQ(RuleInside("SELECT lag(days) OVER (PARTITION BY ward ORDER BY days) FROM visits"),
            "window_below");
  EXPECT_EQ(RuleInside("SELECT sum(score) OVER (PARTITION BY pid) FROM answers"), "window_below");
  EXPECT_EQ(RuleInside("SELECT sum(days) OVER (PARTITION BY pid ORDER BY days RANGE BETWEEN 1 "
                       "PRECEDING AND CURRENT ROW) FROM visits"),
            "function_without_rule");
  EXPECT_EQ(RuleInside("SELECT string_agg(ward, ',') OVER (PARTITION BY pid) FROM visits"),
            "aggregate_without_rule");
}

TEST(UnitQuery, ShowsItsKeysAndAggregatesWithRulesOnly) {
  EXPECT_EQ(RuleInside("SELECT pid, days FROM visits GROUP BY pid"), "ungrouped_column");
  EXPECT_EQ(RuleInside("SELECT pid, string_agg(ward, ',') FROM visits GROUP BY pid"),
            "aggregate_without_rule");
  EXPECT_EQ(RuleInside("SELECT pid, max(count(*)) FROM visits GROUP BY pid"), "nested_aggregate");
  EXPECT_EQ(RuleInside("SELECT pid, count(*) FROM visits GROUP BY pid LIMIT 5"), "limit_below");
}

TEST(UnitQuery, WhatIsComputedFromTheUnitOrAHiddenColumnStaysThat) {
  const auto grouped_by = [](const std::string& item) {
    return RuleOf("SELECT k, count(*) FROM (SELECT pid, " + item +
                  " AS k FROM visits GROUP BY pid) q GROUP BY k");
  };
  EXPECT_EQ(grouped_by("max(pid)"), "unit_as_key");
  EXPECT_EQ(grouped_by("max(doctor)"), "hidden_column");
  EXPECT_EQ(grouped_by("sum(days) FILTER (WHERE doctor = 'x')"), "hidden_column");
  EXPECT_EQ(grouped_by("count(doctor)"), "") << "that it is there at all may be counted";
  EXPECT_EQ(grouped_by("max(days)"), "");
  EXPECT_EQ(RuleInside("SELECT pid, doctor FROM visits GROUP BY pid, doctor"), "hidden_column")
      << "the number of groups would tell";
}

TEST(FirstRows, ARowNumberOverTheUnitAloneLimitsTheRows) {
  const auto kept = [](const std::string& condition) {
    return BlockOf(
               "SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY pid ORDER BY "
               "days) AS r FROM visits) q WHERE " +
               condition)
        .rows.rows_per_unit;
  };
  EXPECT_EQ(kept("r = 1"), 1);
  EXPECT_EQ(kept("r = 2"), 1);
  EXPECT_EQ(kept("r <= 2"), 2);
  EXPECT_EQ(kept("r < 3"), 2);
  EXPECT_EQ(kept("2 >= r"), 2);
  EXPECT_EQ(kept("r BETWEEN 1 AND 2"), 2);
  EXPECT_EQ(kept("r < 0"), 1) << "never less than one, so that noise has a scale";
  EXPECT_EQ(kept("r > 1"), 3);
  EXPECT_EQ(kept("r <= 2 OR r = 3"), 3);
  EXPECT_EQ(kept("r <= 99"), 3);
}

TEST(FirstRows, ARowNumberOverMoreThanTheUnitSaysNothing) {
  EXPECT_EQ(BlockOf("SELECT count(*) FROM (SELECT row_number() OVER (PARTITION BY pid, ward ORDER "
                    "BY days) AS r FROM visits) q WHERE r = 1")
                .rows.rows_per_unit,
            3);
}

TEST(FirstRows, DistinctOnTheUnitIsTheFirstRowOfEach) {
  EXPECT_EQ(RowsInside("SELECT DISTINCT ON (pid) pid, days FROM visits ORDER BY pid, days"), 1);
  EXPECT_EQ(RowsInside("SELECT DISTINCT ON (pid, ward) pid, days FROM visits"), 3);
  EXPECT_EQ(RuleInside("SELECT DISTINCT ON (ward) pid, days FROM visits"), "distinct_on");
  EXPECT_EQ(RuleInside("SELECT DISTINCT ON (pid) days FROM visits ORDER BY pid, doctor"),
            "hidden_column")
      << "which row is the first tells what it was chosen by";
}

TEST(InferInside, RangesFollowFromHowManyRowsOnePersonHas) {
  Known known = testing::KnownOf();
  const ProtectedRows visits = testing::Scanned(known, "visits");
  const auto range = [&](const std::string& text) {
    const Result<Expression> item =
        ResolveInsideUnit(known, testing::Written(text), visits, Environment{});
    EXPECT_TRUE(item.ok()) << text;
    return InferInsideUnit(known, *item, visits.rows)->range;
  };
  EXPECT_EQ(range("count(*)"), (sql::Range{0, 3}));
  EXPECT_EQ(range("sum(days)"), (sql::Range{0, 90}));
  EXPECT_EQ(range("sum(days - 40)"), (sql::Range{-120, 0})) << "somebody has no row";
  EXPECT_EQ(range("max(days)"), (sql::Range{0, 30}));
  EXPECT_EQ(range("avg(days)"), (sql::Range{0, 30}));
  EXPECT_EQ(range("rank() OVER (PARTITION BY pid ORDER BY days)"), (sql::Range{1, 3}));
  EXPECT_EQ(range("sum(cost)"), sql::Range{});
  EXPECT_EQ(range("lag(days) OVER (PARTITION BY pid ORDER BY days)"), sql::Range{});
}

TEST(ValueSources, AreWhatCanShowInTheValue) {
  const auto sources = [](const std::string& text) {
    std::vector<std::string> texts;
    for (const Expression& source : ValueSources(testing::Written(text))) {
      texts.push_back(sql::PrintCanonical(source));
    }
    return texts;
  };
  EXPECT_THAT(sources("max(a) + b"), ElementsAre("a", "b"));
  EXPECT_THAT(sources("count(a)"), IsEmpty());
  EXPECT_THAT(sources("count(a + 1)"), ElementsAre("a + 1"));
  EXPECT_THAT(sources("count(*) FILTER (WHERE a > 1)"), ElementsAre("a > 1"));
  EXPECT_THAT(sources("row_number() OVER (PARTITION BY a, b ORDER BY c)"),
              ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace tacit::analysis
