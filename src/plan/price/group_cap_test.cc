#include "plan/price/group_cap.h"

#include <gtest/gtest.h>

#include "plan/price/sensitivity.h"

namespace tacit::plan {
namespace {

using analysis::Block;
using analysis::ExactMeasure;
using analysis::GroupCap;
using analysis::MeasureKind;

struct Declared {
  int rows = 20;
  int groups = 5;
  int rows_per_group = 4;
  int rows_max = 0;
};

// A number of people and one of rows, by a key of one table.
Block BlockOf(const Declared& declared) {
  analysis::TableScan scan;
  scan.alias = "t1";
  scan.rows_per_unit = declared.rows;
  scan.groups_per_unit = declared.groups;
  scan.rows_per_group = declared.rows_per_group;
  scan.rows_max = declared.rows_max;
  Block block;
  block.rows.source = analysis::RowSource(analysis::RowSourceNode{scan});
  block.rows.rows_per_unit = declared.rows;
  block.rows.unit = MakeExpression(sql::ColumnReference{"t1", analysis::kUnitColumn});
  block.keys.emplace_back();
  block.keys[0].expression = MakeExpression(sql::ColumnReference{"t1", "k"});
  block.measures.resize(2);
  block.measures[0].kind = MeasureKind::kUnits;
  block.measures[1].kind = MeasureKind::kRows;
  return block;
}

Block WithList(Block block, int values) {
  block.keys[0].sources = {
      analysis::KeySource{.column = {"t1", "k"},
                          .keys = policy::KeyRange{.from = 1, .to = values, .step = 1},
                          .type = kIntegerType}};
  return block;
}

policy::Privacy PrivacyAt(const Rational& epsilon, policy::Accounting accounting) {
  policy::Privacy privacy;
  privacy.accounting = accounting;
  privacy.query.epsilon = Epsilon(epsilon);
  return privacy;
}
const policy::Privacy kPure = PrivacyAt(1, policy::Accounting::kPure);

Block Chosen(Block block, const policy::Privacy& privacy = kPure) {
  ChooseGroupCaps(block, privacy);
  return block;
}

TEST(GroupCaps, CutNothingWhereTheListIsNotLonger) {
  const Block block = Chosen(WithList(BlockOf({.rows_max = 1}), 5));
  EXPECT_FALSE(block.measures[0].cap) << "five groups are all there are";
  EXPECT_FALSE(block.group_cap);
}

TEST(GroupCaps, AreNotTakenWhereTheyMayCutMoreThanTheySave) {
  const Block block = Chosen(WithList(BlockOf({}), 8));
  EXPECT_FALSE(block.measures[0].cap) << "noise of 8 instead of 5, and a thousand in a group";
  EXPECT_FALSE(block.measures[1].cap);
  EXPECT_FALSE(block.HasGroupCaps());
}

TEST(GroupCaps, AreTakenWhereGroupsAreSmallOrThePriceIsLow) {
  const Block small = Chosen(WithList(BlockOf({.rows_max = 400}), 8));
  EXPECT_EQ(small.measures[0].cap, (GroupCap{.groups = 5, .rows = 20}));
  EXPECT_FALSE(small.measures[1].cap) << "five times four rows are twenty: there is no gain";
  const Block cheap =
      Chosen(WithList(BlockOf({}), 8), PrivacyAt(Rational(1, 100), policy::Accounting::kPure));
  EXPECT_EQ(cheap.measures[0].cap, (GroupCap{.groups = 5, .rows = 20}));
  const Block large = Chosen(WithList(BlockOf({.rows_max = 1000000}), 8),
                             PrivacyAt(Rational(1, 100), policy::Accounting::kPure));
  EXPECT_FALSE(large.measures[0].cap);
}

TEST(GroupCaps, AreTakenByEachMeasureForItself) {
  const Block block =
      Chosen(WithList(BlockOf({.rows = 20, .groups = 5, .rows_per_group = 20, .rows_max = 80}), 8));
  EXPECT_TRUE(block.measures[0].cap);
  EXPECT_FALSE(block.measures[1].cap);
  const Block rows =
      Chosen(WithList(BlockOf({.rows = 20, .groups = 20, .rows_per_group = 1, .rows_max = 80}), 8));
  EXPECT_FALSE(rows.measures[0].cap);
  EXPECT_EQ(rows.measures[1].cap, (GroupCap{.groups = 8, .rows = 1}));
}

TEST(GroupCaps, OnRowsInAGroupPayByTheirSquares) {
  const Declared declared{.rows = 20, .groups = 5, .rows_per_group = 4, .rows_max = 80};
  const Block pure = Chosen(WithList(BlockOf(declared), 8));
  EXPECT_FALSE(pure.measures[1].cap);
  const Block squared =
      Chosen(WithList(BlockOf(declared), 8), PrivacyAt(1, policy::Accounting::kZcdp));
  EXPECT_EQ(squared.measures[1].cap, (GroupCap{.groups = 8, .rows = 4}))
      << "five full groups have as many squares, in whichever groups they are";
}

TEST(GroupCaps, HoldForThePeopleThatPrivateKeysAreShownBy) {
  Block asked = BlockOf({});
  asked.measures.push_back(asked.measures[0]);
  asked.measures[2].filter = MakeExpression(sql::ColumnReference{"t1", "f"});
  const Block block = Chosen(asked);
  const GroupCap cap{.groups = 5, .rows = 20};
  EXPECT_EQ(block.group_cap, cap);
  EXPECT_EQ(block.measures[0].cap, cap) << "the threshold may be on it";
  EXPECT_FALSE(block.measures[1].cap);
  EXPECT_FALSE(block.measures[2].cap);
}

TEST(GroupCaps, NeedGroupsAndAPerson) {
  Block none = BlockOf({.rows_max = 1});
  none.keys.clear();
  EXPECT_FALSE(Chosen(none).HasGroupCaps());
  Block rows = BlockOf({.rows_max = 1});
  rows.rows.unit = {};
  EXPECT_FALSE(Chosen(rows).HasGroupCaps());
}

TEST(GroupCaps, NeverMakeNoiseLarger) {
  for (const auto accounting : {policy::Accounting::kPure, policy::Accounting::kZcdp}) {
    for (const int list : {1, 3, 8, 50}) {
      for (const int groups : {1, 5, 20}) {
        for (const int in_each : {1, 4, 20}) {
          const Block plain = WithList(
              BlockOf({.groups = groups, .rows_per_group = in_each, .rows_max = 10}), list);
          const policy::Privacy privacy = PrivacyAt(1, accounting);
          const Block capped = Chosen(plain, privacy);
          for (size_t i = 0; i < plain.measures.size(); ++i) {
            const Sensitivity with = SensitivityOf(capped.measures[i], capped, privacy);
            const Sensitivity without = SensitivityOf(plain.measures[i], plain, privacy);
            EXPECT_LE(with.l1, without.l1);
            EXPECT_LE(with.l2_squared, without.l2_squared);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacit::plan
