#include "plan/price/sensitivity.h"

#include <gtest/gtest.h>

#include "plan/price/keys_per_unit.h"

namespace tacit::plan {
namespace {

using analysis::Block;
using analysis::ExactMeasure;
using analysis::MeasureKind;
using analysis::RowJoin;
using analysis::RowSource;
using analysis::RowSourceNode;
using analysis::TableScan;

RowSource ScanOf(const std::string& alias, int rows) {
  TableScan scan;
  scan.alias = alias;
  scan.rows_per_unit = rows;
  return RowSource(RowSourceNode{scan});
}

// A block over one scan of which one person has that many rows.
Block BlockWith(int rows) {
  Block block;
  block.rows.source = ScanOf("t1", rows);
  block.rows.rows_per_unit = rows;
  return block;
}

// Of people with `left` rows in t1 and `right` in t2.
Block BlockOfJoin(sql::JoinKind kind, int left, int right) {
  Block block;
  RowJoin join;
  join.kind = kind;
  join.left = ScanOf("t1", left);
  join.right = ScanOf("t2", right);
  block.rows.source = RowSource(RowSourceNode{join});
  block.rows.rows_per_unit = left * right;
  return block;
}

void AddKey(Block& block, const std::string& table) {
  analysis::Key key;
  key.expression = MakeExpression(sql::ColumnReference{table, "k"});
  block.keys.push_back(key);
}

// The last key's public values.
void SetList(Block& block, const std::vector<std::string>& values) {
  policy::ListedKeys listed;
  for (const std::string& value : values) {
    policy::KeyValue key;
    key.text = value;
    listed.values.push_back(key);
  }
  analysis::Key& key = block.keys.back();
  key.sources = {analysis::KeySource{
      .column = *sql::As<sql::ColumnReference>(key.expression), .keys = listed, .type = kTextType}};
}

ExactMeasure MeasureOf(MeasureKind kind, int low = 0, int high = 0, int centre = 0) {
  ExactMeasure measure;
  measure.kind = kind;
  measure.grid = {.step = 1, .low_steps = low, .high_steps = high};
  measure.centre = centre;
  return measure;
}

policy::Privacy PrivacyOf(policy::Neighbours neighbours, int protects) {
  policy::Privacy privacy;
  privacy.neighbours = neighbours;
  privacy.protects = protects;
  return privacy;
}

const policy::Privacy kOnePerson = PrivacyOf(policy::Neighbours::kAddRemove, 1);

void ExpectSensitivity(const ExactMeasure& measure, const Block& block,
                       const policy::Privacy& privacy, int l1, int l2_squared) {
  const Sensitivity found = SensitivityOf(measure, block, privacy);
  EXPECT_EQ(found.l1, l1);
  EXPECT_EQ(found.l2_squared, l2_squared);
}

TEST(Sensitivity, OfACountIsTheRowsOfOnePerson) {
  for (const MeasureKind kind : {MeasureKind::kRows, MeasureKind::kValues, MeasureKind::kDistinct,
                                 MeasureKind::kQuantile, MeasureKind::kMode}) {
    ExpectSensitivity(MeasureOf(kind), BlockWith(1), kOnePerson, 1, 1);
    ExpectSensitivity(MeasureOf(kind), BlockWith(3), kOnePerson, 3, 9);
  }
}

// Two rows in each of two groups, and all four in one total.
TEST(Sensitivity, OfTotalsIsThatOfAllRowsInOne) {
  Block block = BlockWith(4);
  AddKey(block, "t1");
  ExactMeasure count = MeasureOf(MeasureKind::kRows);
  count.cap = analysis::GroupCap{.groups = 2, .rows = 2};
  ExpectSensitivity(count, block, kOnePerson, 4, 8);
  block.totals = analysis::Totals{.of = 0, .keys = {}};
  ExpectSensitivity(count, block, kOnePerson, 4, 16);
}

TEST(Sensitivity, OfASumIsTheLargestMagnitudeFromItsCentre) {
  ExpectSensitivity(MeasureOf(MeasureKind::kSum, 0, 120), BlockWith(1), kOnePerson, 120, 14400);
  ExpectSensitivity(MeasureOf(MeasureKind::kSum, 0, 120, 60), BlockWith(1), kOnePerson, 60, 3600);
  ExpectSensitivity(MeasureOf(MeasureKind::kSum, -7, 5), BlockWith(2), kOnePerson, 14, 196);
  ExpectSensitivity(MeasureOf(MeasureKind::kSum, 3, 8), BlockWith(1), kOnePerson, 8, 64);
}

TEST(Sensitivity, OfASumThatIsAlwaysZeroIsOneStep) {
  ExpectSensitivity(MeasureOf(MeasureKind::kSum, 0, 0), BlockWith(1), kOnePerson, 1, 1);
  ExpectSensitivity(MeasureOf(MeasureKind::kSum, 5, 5, 5), BlockWith(1), kOnePerson, 1, 1);
}

TEST(Sensitivity, OfSquaresAndProductsIsThatOfTheLargestOne) {
  ExpectSensitivity(MeasureOf(MeasureKind::kSumOfSquares, 0, 10, 5), BlockWith(2), kOnePerson, 50,
                    2500);
  ExactMeasure products = MeasureOf(MeasureKind::kSumOfProducts, 0, 10, 5);
  products.factor_grid = {.step = 1, .low_steps = -8, .high_steps = 2};
  products.factor_centre = -3;
  ExpectSensitivity(products, BlockWith(1), kOnePerson, 25, 625);
  products.factor_centre = 0;
  ExpectSensitivity(products, BlockWith(1), kOnePerson, 40, 1600);
}

TEST(Sensitivity, GrowsWithThePeopleThatOneStepMoves) {
  const auto moved = [](policy::Neighbours neighbours, int protects) {
    return UnitsMoved(PrivacyOf(neighbours, protects));
  };
  EXPECT_EQ(moved(policy::Neighbours::kAddRemove, 1), 1);
  EXPECT_EQ(moved(policy::Neighbours::kAddRemove, 3), 3);
  EXPECT_EQ(moved(policy::Neighbours::kReplaceOne, 1), 2);
  EXPECT_EQ(moved(policy::Neighbours::kReplaceOne, 3), 6);
  ExpectSensitivity(MeasureOf(MeasureKind::kRows), BlockWith(3),
                    PrivacyOf(policy::Neighbours::kReplaceOne, 1), 6, 36);
}

TEST(Sensitivity, OfPeopleIsTheGroupsThatOneCanBeIn) {
  ExpectSensitivity(MeasureOf(MeasureKind::kUnits), BlockWith(5), kOnePerson, 1, 1);
  Block grouped = BlockWith(5);
  AddKey(grouped, "t1");
  ExpectSensitivity(MeasureOf(MeasureKind::kUnits), grouped, kOnePerson, 5, 5);
  ExpectSensitivity(MeasureOf(MeasureKind::kUnits), grouped,
                    PrivacyOf(policy::Neighbours::kReplaceOne, 1), 10, 20);
}

TEST(GroupsPerUnit, AreTheRowsOfTheScansThatTheKeysName) {
  Block block = BlockOfJoin(sql::JoinKind::kInner, 2, 7);
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 1) << "there is no key";
  AddKey(block, "t1");
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 2);
  AddKey(block, "t1");
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 2) << "both are made of the same row";
  AddKey(block, "t2");
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 14);
}

TEST(GroupsPerUnit, AreAllRowsWhereAKeyIsOfASideThatMayBeMissing) {
  Block block = BlockOfJoin(sql::JoinKind::kLeft, 2, 7);
  AddKey(block, "t2");
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 14) << "NULL is one value more";
  Block left = BlockOfJoin(sql::JoinKind::kLeft, 2, 7);
  AddKey(left, "t1");
  EXPECT_EQ(GroupsPerUnit(left, std::nullopt), 2);
}

TEST(GroupsPerUnit, AreAllRowsWhereAKeyIsPublicOrComputed) {
  Block block = BlockWith(4);
  AddKey(block, "t9");
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 4);
}

TEST(GroupsPerUnit, AreNeverMoreThanTheRowsOrTheCap) {
  Block block = BlockOfJoin(sql::JoinKind::kInner, 2, 7);
  AddKey(block, "t1");
  AddKey(block, "t2");
  block.rows.rows_per_unit = 9;
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 9);
  EXPECT_EQ(GroupsPerUnit(block, analysis::GroupCap{.groups = 3, .rows = 1}), 3);
  EXPECT_EQ(GroupsPerUnit(block, analysis::GroupCap{.groups = 30, .rows = 1}), 9);
}

TEST(RowsPerUnit, UnderACapAreSpreadOverGroups) {
  Block block = BlockWith(10);
  AddKey(block, "t1");
  const auto under = [&](int groups, int rows) {
    return RowsPerUnitOf(block, analysis::GroupCap{.groups = groups, .rows = rows});
  };
  EXPECT_EQ(RowsPerUnitOf(block, std::nullopt).all, 10);
  EXPECT_EQ(RowsPerUnitOf(block, std::nullopt).squares_by_group, 100) << "all may be in one group";
  EXPECT_EQ(under(3, 2).all, 6);
  EXPECT_EQ(under(3, 2).squares_by_group, 12);
  EXPECT_EQ(under(9, 4).all, 10) << "a cap never adds rows";
  EXPECT_EQ(under(9, 4).squares_by_group, 4 * 4 + 4 * 4 + 2 * 2);
  SetList(block, {"a", "b"});
  EXPECT_EQ(under(9, 4).all, 8) << "there are two groups";
  EXPECT_EQ(under(9, 4).squares_by_group, 2 * 4 * 4);
  EXPECT_EQ(RowsPerUnitOf(block, std::nullopt).all, 10) << "without a cap rows are what they are";
}

TEST(Sensitivity, GoesByTheMeasuresOwnCap) {
  Block block = BlockWith(10);
  AddKey(block, "t1");
  block.group_cap = analysis::GroupCap{.groups = 1, .rows = 1};
  ExactMeasure people = MeasureOf(MeasureKind::kUnits);
  ExactMeasure rows = MeasureOf(MeasureKind::kRows);
  ExpectSensitivity(people, block, kOnePerson, 10, 10);
  people.cap = analysis::GroupCap{.groups = 3, .rows = 10};
  ExpectSensitivity(people, block, kOnePerson, 3, 3);
  ExpectSensitivity(rows, block, kOnePerson, 10, 100);
  rows.cap = analysis::GroupCap{.groups = 3, .rows = 2};
  ExpectSensitivity(rows, block, kOnePerson, 6, 12);
}

TEST(GroupsPerUnit, AreNoMoreThanTheListHasValues) {
  Block block = BlockWith(20);
  AddKey(block, "t1");
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 20);
  SetList(block, {"a", "b", "c"});
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 3);
  EXPECT_EQ(LengthOfList(block), Integer(3));
  block.keys[0].sources[0].with_null = true;
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 4) << "NULL is a value too";
  block.rows.rows_per_unit = 2;
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 2);
}

TEST(GroupsPerUnit, AreTheProductOfListsAndRowsOfDifferentScans) {
  Block block = BlockOfJoin(sql::JoinKind::kInner, 2, 20);
  AddKey(block, "t2");
  SetList(block, {"a", "b", "c"});
  AddKey(block, "t1");
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 6);
  EXPECT_FALSE(LengthOfList(block)) << "one key is private";
  AddKey(block, "t2");
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 40) << "t2 has a private key beside the list";
}

TEST(GroupsPerUnit, CountAColumnOnceHoweverManyKeysReadIt) {
  Block block = BlockWith(20);
  AddKey(block, "t1");
  SetList(block, {"a", "b", "c"});
  block.keys.push_back(block.keys[0]);
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 3);
  block.keys[1].sources[0].column.column = "other";
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 9);
}

TEST(GroupsPerUnit, AreWhatTheQueryListsItself) {
  Block block = BlockWith(20);
  AddKey(block, "t1");
  block.keys[0].outcomes = {MakeExpression(sql::Literal{}), MakeExpression(sql::Literal{})};
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 2);
}

TEST(GroupsPerUnit, KnowTheListOfATableByItsDeclaredRowsOnly) {
  Block block = BlockOfJoin(sql::JoinKind::kLeft, 20, 1);
  AddKey(block, "t2");
  block.keys[0].sources = {analysis::KeySource{
      .column = {"t2", "k"}, .keys = policy::KeysOfTable{"wards", "ward"}, .type = kTextType}};
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 20);
  block.keys[0].sources[0].keys = policy::KeysOfTable{"wards", "ward", 8};
  EXPECT_EQ(GroupsPerUnit(block, std::nullopt), 8);
}

}  // namespace
}  // namespace tacit::plan
