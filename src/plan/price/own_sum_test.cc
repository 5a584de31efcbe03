#include "plan/price/own_sum.h"

#include <gtest/gtest.h>

#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

using analysis::Block;
using analysis::GroupCap;
using analysis::MeasureKind;

// sum(x) over twenty rows of a person, of 0 to 100 in steps of a half, by a key.
Block SumOf(const std::optional<Rational>& sum_per_unit) {
  analysis::TableScan scan;
  scan.alias = "t1";
  scan.rows_per_unit = 20;
  Block block;
  block.rows.source = analysis::RowSource(analysis::RowSourceNode{scan});
  block.rows.rows_per_unit = 20;
  block.rows.unit = MakeExpression(sql::ColumnReference{"t1", analysis::kUnitColumn});
  block.keys.emplace_back();
  block.keys[0].expression = MakeExpression(sql::ColumnReference{"t1", "k"});
  analysis::RowColumn column;
  column.sum_per_unit = sum_per_unit;
  block.columns.emplace_back(sql::ColumnReference{"t1", "x"}, column);
  analysis::ExactMeasure sum;
  sum.kind = MeasureKind::kSum;
  sum.argument = MakeExpression(sql::ColumnReference{"t1", "x"});
  sum.grid = {.step = Rational(1, 2), .low_steps = 0, .high_steps = 200};
  block.measures = {sum};
  return block;
}

policy::Privacy Under(policy::Accounting accounting, int protects = 1) {
  policy::Privacy privacy;
  privacy.accounting = accounting;
  privacy.protects = protects;
  return privacy;
}
const policy::Privacy kSumPure = Under(policy::Accounting::kPure);
const policy::Privacy kSumZcdp = Under(policy::Accounting::kZcdp);

Block Limited(Block block, const policy::Privacy& privacy = kSumPure) {
  LimitOwnSums(block, privacy);
  return block;
}

TEST(OwnSums, AreLimitedToWhatIsDeclaredInWholeSteps) {
  const Block block = Limited(SumOf(Rational(1001, 4)));
  ASSERT_TRUE(block.measures[0].own_sum);
  EXPECT_EQ(*block.measures[0].own_sum, 500) << "250.25 in halves, rounded down";
  const Sensitivity found = SensitivityOf(block.measures[0], block, kSumPure);
  EXPECT_EQ(found.l1, 500);
  EXPECT_EQ(found.l2_squared, 250'000) << "all of it may be in one group";
  const Sensitivity of_three =
      SensitivityOf(block.measures[0], block, Under(policy::Accounting::kPure, 3));
  EXPECT_EQ(of_three.l1, 1500);
  EXPECT_EQ(of_three.l2_squared, 2'250'000);
  EXPECT_TRUE(block.OrdersRows());
  EXPECT_FALSE(block.HasGroupCaps());
}

TEST(OwnSums, KeepTheCapOnRowsWhereItNeedsNoMoreNoise) {
  EXPECT_FALSE(Limited(SumOf(std::nullopt)).measures[0].own_sum);
  EXPECT_FALSE(Limited(SumOf(Rational(2000))).measures[0].own_sum) << "as much as twenty rows";
  EXPECT_TRUE(Limited(SumOf(Rational(1999))).measures[0].own_sum);
  EXPECT_EQ(*Limited(SumOf(Rational(1, 100))).measures[0].own_sum, 1) << "never less than a step";
}

TEST(OwnSums, TakeTheirPlaceOfACapOnGroupsByTheNormThatNoiseIsMadeFor) {
  Block block = SumOf(Rational(300));
  block.measures[0].cap = GroupCap{.groups = 4, .rows = 1};  // L1 800 steps, L2 400
  const Block pure = Limited(block);
  EXPECT_TRUE(pure.measures[0].own_sum);
  EXPECT_FALSE(pure.measures[0].cap);
  const Block zcdp = Limited(block, kSumZcdp);
  EXPECT_FALSE(zcdp.measures[0].own_sum);
  EXPECT_EQ(zcdp.measures[0].cap, block.measures[0].cap);
}

TEST(OwnSums, OfTotalsAreWhatTheyAreInTheGroups) {
  Block block = SumOf(Rational(300));
  block.measures[0].cap = GroupCap{.groups = 4, .rows = 1};
  block.totals = analysis::Totals{.of = 0, .keys = {}};
  EXPECT_FALSE(Limited(block, kSumZcdp).measures[0].own_sum)
      << "a total alone would need less noise with the limit: 300 instead of 400";
}

TEST(OwnSums, AreThoseOfPlainSumsOfTheColumnAlone) {
  Block centred = SumOf(Rational(300));
  centred.measures[0].centre = 100;
  EXPECT_FALSE(Limited(centred).measures[0].own_sum);
  Block squares = SumOf(Rational(300));
  squares.measures[0].kind = MeasureKind::kSumOfSquares;
  EXPECT_FALSE(Limited(squares).measures[0].own_sum);
  Block rows = SumOf(Rational(300));
  rows.rows.unit = {};
  EXPECT_FALSE(Limited(rows).measures[0].own_sum) << "a row that is a person has one value";
}

}  // namespace
}  // namespace tacit::plan
