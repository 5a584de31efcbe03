#include "plan/workload/tables.h"

#include <gtest/gtest.h>

#include "analysis/testing/asked.h"

namespace tacit::plan::workload {
namespace {

using analysis::testing::BlockOf;

TEST(Tables, QuestionsOverTheSameRowsShareTheirAttributes) {
  Tables tables;
  const auto by_sex = tables.Add(BlockOf("SELECT sex, count(*) FROM people GROUP BY sex"));
  const auto women = tables.Add(BlockOf("SELECT count(*) FROM people WHERE sex = 'F'"));
  const auto young =
      tables.Add(BlockOf("SELECT sex, count(*) FROM people WHERE age < 25 GROUP BY sex"));
  ASSERT_TRUE(by_sex && women && young);
  EXPECT_EQ(tables.sources().size(), 1u);
  EXPECT_EQ(tables.families().size(), 1u);
  EXPECT_EQ(by_sex->measures[0].set, women->measures[0].set);
  EXPECT_EQ(women->measures[0].fixed.size(), 1u);
  EXPECT_NE(young->measures[0].set, by_sex->measures[0].set);
  EXPECT_EQ(young->measures[0].fixed.size(), 1u);
}

TEST(Tables, ACountOfValuesIsACellOfTheRows) {
  Tables tables;
  const auto rows = tables.Add(BlockOf("SELECT count(*) FROM people"));
  const auto ages = tables.Add(BlockOf("SELECT avg(age) FROM people"));
  ASSERT_TRUE(rows && ages);
  EXPECT_EQ(tables.families().size(), 2u) << "rows, and sums of ages";
  EXPECT_EQ(tables.sources()[0].attributes.size(), 1u) << "whether there is an age";
}

TEST(Tables, WhatIsNoSumOverRowsIsNone) {
  Tables tables;
  for (const char* sql :
       {"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM people",
        "SELECT city, count(*) FROM people GROUP BY city", "SELECT count(*), max(age) FROM people",
        "SELECT sex, count(*) FROM people WHERE sex = 'F' GROUP BY sex",
        "SELECT born, count(*) FROM people GROUP BY born"}) {
    EXPECT_FALSE(tables.Add(BlockOf(sql))) << sql;
  }
  EXPECT_TRUE(tables.sources().empty()) << "nothing of them stays";
}

// Every row is in one group: codes are of "none of them" and of each value.
TEST(Tables, AMeasuredTableHasACellForEveryRow) {
  Tables tables;
  const auto asked =
      tables.Add(BlockOf("SELECT sex, count(*) FROM people WHERE age < 25 GROUP BY sex"));
  ASSERT_TRUE(asked);
  const Family& family = tables.families()[0];
  const analysis::Block block = MeasuredBlock(tables, family, asked->measures[0].set);
  ASSERT_EQ(block.keys.size(), 2u);
  size_t cells = 1;
  for (const analysis::Key& key : block.keys) {
    EXPECT_TRUE(key.IsPublic());
    cells *= key.outcomes.size();
  }
  EXPECT_EQ(cells, tables.CellsOf(family, asked->measures[0].set));
  EXPECT_TRUE(block.rows.filters.empty());
  EXPECT_EQ(block.measures.size(), 1u);
}

}  // namespace
}  // namespace tacit::plan::workload
