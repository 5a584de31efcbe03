#include "plan/workload/ranges.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/testing/asked.h"
#include "plan/workload/least_squares.h"
#include "plan/workload/tables.h"
#include "sql/walk.h"

namespace tacit::plan::workload {
namespace {

using analysis::testing::BlockOf;

SplitConditions SplitOf(const std::string& condition) {
  return SplitRanges(BlockOf("SELECT count(*) FROM people WHERE " + condition));
}

std::vector<CutColumn> CutsOf(const std::vector<std::string>& conditions) {
  std::vector<CutColumn> cuts;
  for (const std::string& condition : conditions) {
    AddCuts(BlockOf("SELECT count(*) FROM people WHERE " + condition), cuts);
  }
  return cuts;
}

TEST(Ranges, ConditionsOnOneColumnAreOneRange) {
  const SplitConditions split = SplitOf("age >= 20 AND sex = 'F' AND 30 > age");
  ASSERT_EQ(split.ranges.size(), 1u);
  EXPECT_EQ(split.others.size(), 1u);
  EXPECT_EQ(split.ranges[0].from->place, 20);
  EXPECT_EQ(split.ranges[0].to->place, 30);
  EXPECT_FALSE(split.ranges[0].to->after);
}

TEST(Ranges, BetweenWholeNumbersAnEdgeHasOneName) {
  for (const char* condition : {"age < 30", "age <= 29", "NOT age >= 30", "age < 29.5"}) {
    const SplitConditions split = SplitOf(condition);
    if (split.ranges.empty()) continue;  // NOT is left as it is written
    EXPECT_EQ(split.ranges[0].to->place, 30) << condition;
    EXPECT_FALSE(split.ranges[0].to->after) << condition;
  }
  const std::vector<CutColumn> cuts =
      CutsOf({"age BETWEEN 20 AND 29", "age BETWEEN 30 AND 39", "age < 30"});
  ASSERT_EQ(cuts.size(), 1u);
  EXPECT_EQ(cuts[0].edges.size(), 3u);
}

TEST(Ranges, WhatNothingLiesInIsAskedAsItIsWritten) {
  const SplitConditions split = SplitOf("age > 30 AND age < 20");
  EXPECT_TRUE(split.ranges.empty());
  EXPECT_EQ(split.others.size(), 2u);
}

TEST(Ranges, OtherConditionsAreNone) {
  for (const char* condition : {"age = 30", "age + 1 < 30", "age NOT BETWEEN 20 AND 30",
                                "age < 30 OR age > 40", "sex < 'G'"}) {
    EXPECT_TRUE(SplitOf(condition).ranges.empty()) << condition;
  }
}

// The value of a CASE over one column for one of its values, by the conditions as written.
size_t Evaluated(const analysis::Expression& digit, std::optional<double> value) {
  const auto* choice = sql::As<sql::Case>(digit);
  const auto number = [](const analysis::Expression& literal) {
    return std::stod(sql::As<sql::Literal>(literal)->text);
  };
  for (const sql::CaseBranch& branch : choice->branches) {
    const auto* compared = sql::As<sql::Operator>(branch.when);
    bool holds = compared == nullptr && !value;
    if (compared != nullptr && value) {
      const double constant = number(compared->arguments[1]);
      holds = compared->symbol == "<" ? *value < constant : *value <= constant;
    }
    if (holds) return static_cast<size_t>(number(branch.then));
  }
  return static_cast<size_t>(number(choice->otherwise));
}

TEST(Ranges, ARowIsInARangeExactlyIfItsCodeIs) {
  const std::vector<std::string> conditions = {"age < 20", "age BETWEEN 20 AND 29", "age >= 65",
                                               "age > 18 AND age <= 40", "age < 90"};
  const std::vector<CutColumn> cuts = CutsOf(conditions);
  ASSERT_EQ(cuts.size(), 1u);
  std::vector<ColumnRange> ranges;
  for (const std::string& condition : conditions) ranges.push_back(SplitOf(condition).ranges.at(0));
  for (const size_t base : {2, 3, 8}) {
    std::vector<analysis::Expression> digits;
    for (size_t divisor = 1; divisor < cuts[0].Codes(); divisor *= base) {
      digits.push_back(
          DigitOf(cuts[0].column, {.edges = cuts[0].edges, .base = base, .divisor = divisor}));
    }
    for (int age = -1; age < 100; ++age) {
      size_t code = 0;
      for (size_t d = digits.size(); d-- > 0;) code = code * base + Evaluated(digits[d], age);
      const bool truths[] = {age < 20, age >= 20 && age <= 29, age >= 65, age > 18 && age <= 40,
                             age < 90};
      for (size_t i = 0; i < conditions.size(); ++i) {
        const bool is_in =
            cuts[0].FirstCode(ranges[i]) <= code && code <= cuts[0].LastCode(ranges[i]);
        EXPECT_EQ(is_in, truths[i]) << conditions[i] << " of " << age << " to base " << base;
      }
    }
    EXPECT_EQ(Evaluated(digits[0], std::nullopt), 0u) << "rows without a value are in no range";
  }
}

TEST(Ranges, ATableHasThemAsDigits) {
  Tables tables({.cuts = CutsOf({"age < 20", "age < 30", "age < 40"}), .base = 2});
  const auto young =
      tables.Add(BlockOf("SELECT sex, count(*) FROM people WHERE age < 30 GROUP BY sex"), true);
  ASSERT_TRUE(young && young->measures[0].range);
  EXPECT_EQ(young->measures[0].range->digits.size(), 3u) << "five codes";
  EXPECT_EQ(young->measures[0].range->from, 1u);
  EXPECT_EQ(young->measures[0].range->to, 2u);
  EXPECT_TRUE(young->measures[0].fixed.empty());
  const Family& family = tables.families()[0];
  EXPECT_EQ(MeasuredBlock(tables, family, young->measures[0].set).keys.size(), 4u);
  const auto other = tables.Add(BlockOf("SELECT count(*) FROM people WHERE age < 30"));
  EXPECT_FALSE(other->measures[0].range) << "a question of several releases";
}

// ---- how precise

constexpr size_t kCodes = 16;
// An attribute of three cells, and four digits.
const CellCounts kWithDigits = {3, 2, 2, 2, 2};

std::vector<RangeWish> UpToEach(double variance, AttributeSet keys = 0) {
  std::vector<RangeWish> wishes;
  for (size_t to = 1; to < kCodes - 1; ++to) {
    wishes.push_back({{.keys = keys, .digits = {1, 2, 3, 4}, .from = 1, .to = to}, variance});
  }
  return wishes;
}

TEST(Ranges, EveryWishIsMetForLessThanByThemselves) {
  const std::vector<RangeWish> wishes = UpToEach(50);
  const Precisions chosen = ChoosePrecisions(kWithDigits, {{0, 1 / 30.0}, {1, 1 / 80.0}}, wishes);
  for (const RangeWish& wish : wishes) {
    EXPECT_LE(VarianceOf(kWithDigits, chosen, wish.sum), 50 * (1 + 1e-9)) << wish.sum.to;
  }
  EXPECT_GE(PrecisionOf(kWithDigits, chosen, 0), (1 - 1e-9) / 30);
  EXPECT_GE(PrecisionOf(kWithDigits, chosen, 1), (1 - 1e-9) / 80);
  double price = 0;
  for (const auto& [set, precision] : chosen) price += precision;
  EXPECT_LT(price, 0.6 * static_cast<double>(wishes.size()) / 50);
}

// The exact variance of the estimated sum, from what one unit in each measured cell does to it: for
// one value of the attribute, for all of them, and for a difference of two.
TEST(Ranges, NoFunctionOfARangeHasMoreVarianceThanIsSaid) {
  const Precisions measured = {{1, 0.3}, {3, 0.2}, {7, 0.1}, {15, 0.4}, {31, 0.25}, {0, 0.05}};
  const AttributeSet all = 31;
  const std::vector<Cells> functions = {{1, 0, 0}, {1, 1, 1}, {1, -1, 0}, {0, 2, -1}};
  std::map<AttributeSet, Cells> still;
  for (const auto& [table, precision] : measured) {
    still[table] = Cells(static_cast<size_t>(CellsIn(kWithDigits, table)), 0);
  }
  std::vector<std::pair<double, Cells>> pulls;  // the variance of a cell's noise, and what it does
  for (const auto& [table, precision] : measured) {
    for (double& cell : still[table]) {
      cell = 1;
      pulls.emplace_back(1 / precision, Estimate(kWithDigits, measured, still, all));
      cell = 0;
    }
  }
  double nearest = 0;
  for (const auto& [from, to] : {std::pair<size_t, size_t>{1, 1}, {1, 6}, {5, 12}, {0, 15}}) {
    const double said = VarianceOf(kWithDigits, measured,
                                   {.keys = 1, .digits = {1, 2, 3, 4}, .from = from, .to = to});
    for (const Cells& function : functions) {
      double norm = 0;
      for (const double weight : function) norm += weight * weight;
      double variance = 0;
      for (const auto& [of_cell, on] : pulls) {
        double moved = 0;
        for (size_t key = 0; key < function.size(); ++key) {
          for (size_t code = from; code <= to; ++code) {
            moved += function[key] * on[key * kCodes + code];
          }
        }
        variance += moved * moved * of_cell;
      }
      EXPECT_LE(variance, norm * said * (1 + 1e-9)) << from << " to " << to;
      nearest = std::max(nearest, variance / norm / said);
    }
  }
  EXPECT_NEAR(nearest, 1, 1e-9) << "a smaller claim would be wrong";
}

}  // namespace
}  // namespace tacit::plan::workload
