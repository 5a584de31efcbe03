#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "engine/duckdb/rules/rules.h"
#include "sql/parse.h"

namespace tacit::engine::duckdb {
namespace {

constexpr int kLow = 0, kHigh = 30;

struct Asked {
  bool on_grid = false;
  Int128 low = 0, high = 0;  // of what passes
};

Asked AskOf(const std::string& condition) {
  const sql::ColumnReference column{"t1", "days"}, stored{"t1", "tacit_grid_days"};
  const sql::Statement written = sql::Parse("SELECT 1 FROM t1 WHERE " + condition).value();
  const sql::Expression before = sql::As<sql::Select>(written.query)->where;
  std::vector<sql::Expression> filters = {before};
  const policy::Grid passing =
      AskOnGrid(column, stored,
                {.step = MakeRational(Int128{1}), .low_steps = kLow, .high_steps = kHigh}, filters);
  return {.on_grid = filters.at(0) != before, .low = passing.low_steps, .high = passing.high_steps};
}

struct Form {
  std::function<std::string(const std::string& number)> text;
  std::function<bool(int x, int number)> passes;
};

// Every comparison, at every number in and around the range: it is asked of the clamped number
// where that gives the same for all numbers there are, and only there.
TEST(GridFilters, AreAskedOfTheGridExactlyWhereTheClampChangesNothing) {
  const std::vector<Form> forms = {
      {[](const auto& n) { return n + " <= t1.days"; }, [](int x, int n) { return n <= x; }},
      {[](const auto& n) { return n + " < t1.days"; }, [](int x, int n) { return n < x; }},
      {[](const auto& n) { return "t1.days <= " + n; }, [](int x, int n) { return x <= n; }},
      {[](const auto& n) { return "t1.days < " + n; }, [](int x, int n) { return x < n; }},
      {[](const auto& n) { return "t1.days = " + n; }, [](int x, int n) { return x == n; }},
  };
  for (const Form& form : forms) {
    for (int number = 0; number <= kHigh + 3; ++number) {
      bool same = true;
      for (int x = kLow - 5; x <= kHigh + 5; ++x) {
        same = same && form.passes(x, number) == form.passes(std::clamp(x, kLow, kHigh), number);
      }
      const std::string text = form.text(std::to_string(number));
      const Asked asked = AskOf(text);
      EXPECT_EQ(asked.on_grid, same) << text;
      for (int x = kLow; asked.on_grid && x <= kHigh; ++x) {
        EXPECT_EQ(form.passes(x, number), asked.low <= x && x <= asked.high) << text << " of " << x;
      }
    }
  }
}

TEST(GridFilters, WhatIsNoComparisonWithAWholeNumberStays) {
  for (const char* text : {"t1.days <= 3.5", "t1.days <> 4", "t1.days NOT BETWEEN 3 AND 9",
                           "t1.cost <= 3", "t1.days <= t1.cost", "t1.days + 1 <= 3",
                           "t1.days BETWEEN 3 AND 30", "t1.days BETWEEN 0 AND 9"}) {
    EXPECT_FALSE(AskOf(text).on_grid) << text;
  }
  EXPECT_TRUE(AskOf("t1.days BETWEEN 3 AND 9").on_grid);
}

}  // namespace
}  // namespace tacit::engine::duckdb
