#include "plan/price/cubes.h"

#include <gtest/gtest.h>

#include "noise/cube/cube_noise.h"
#include "noise/discrete_laplace/discrete_laplace.h"

namespace tacit::plan {
namespace {

using analysis::Block;
using analysis::MeasureKind;

analysis::ExactMeasure Measured(MeasureKind kind, std::optional<analysis::GroupCap> cap = {}) {
  analysis::ExactMeasure measure;
  measure.kind = kind;
  measure.grid = {.step = 1, .low_steps = 0, .high_steps = 50};
  measure.values.resize(3);
  measure.cap = std::move(cap);
  return measure;
}

Block BlockOf(std::vector<analysis::ExactMeasure> measures, int rows_per_unit) {
  Block block;
  block.rows.rows_per_unit = rows_per_unit;
  block.measures = std::move(measures);
  return block;
}

Share ShareOf(const Rational& epsilon) {
  return {.epsilon = Epsilon(epsilon), .rho = Rho(Rational(1))};
}

policy::Privacy Terms(policy::Accounting accounting, policy::Neighbours neighbours, int protects) {
  policy::Privacy privacy;
  privacy.accounting = accounting;
  privacy.neighbours = neighbours;
  privacy.protects = protects;
  return privacy;
}
const policy::Privacy kPureTerms =
    Terms(policy::Accounting::kPure, policy::Neighbours::kAddRemove, 1);

TEST(CubesOf, CountsAndSumsOfTheSameRowsAreDrawnTogether) {
  const Block block = BlockOf({Measured(MeasureKind::kRows), Measured(MeasureKind::kSum),
                               Measured(MeasureKind::kQuantile), Measured(MeasureKind::kValues)},
                              20);
  const auto drawn = CubesOf(block, {}, kPureTerms, ShareOf(Rational(1, 4)));
  ASSERT_EQ(drawn.size(), 3u);
  ASSERT_FALSE(drawn.contains(2));
  const noise::CubeNoise* cube = drawn.at(0)->cube();
  ASSERT_NE(cube, nullptr);
  for (const auto& [index, mechanism] : drawn) EXPECT_EQ(mechanism->cube(), cube) << index;
  EXPECT_EQ(cube->width(drawn.at(0)->coordinate()), 1);
  EXPECT_EQ(cube->width(drawn.at(1)->coordinate()), 50);
  EXPECT_EQ(cube->epsilon().value, Rational(3, 4));
  EXPECT_EQ(cube->scale(), Rational(80, 3));  // 20 rows / epsilon
}

TEST(CubesOf, EveryPersonMovedIsPaidFor) {
  const policy::Privacy terms =
      Terms(policy::Accounting::kPure, policy::Neighbours::kReplaceOne, 3);
  const Block block = BlockOf({Measured(MeasureKind::kRows), Measured(MeasureKind::kSum)}, 20);
  const auto drawn = CubesOf(block, {}, terms, ShareOf(Rational(1, 2)));
  ASSERT_EQ(drawn.size(), 2u);
  EXPECT_EQ(drawn.at(0)->cube()->scale(), 120);
  EXPECT_EQ(drawn.at(0)->cube()->width(1), 50);
}

TEST(CubesOf, WhatCountsOtherRowsIsApart) {
  const analysis::GroupCap cap{.groups = 2, .rows = 1};
  const Block block =
      BlockOf({Measured(MeasureKind::kRows), Measured(MeasureKind::kRows, cap),
               Measured(MeasureKind::kSum), Measured(MeasureKind::kSum, cap),
               Measured(MeasureKind::kValues, analysis::GroupCap{.groups = 1, .rows = 1})},
              20);
  const auto drawn = CubesOf(block, {}, kPureTerms, ShareOf(Rational(1, 5)));
  ASSERT_EQ(drawn.size(), 4u);
  EXPECT_EQ(drawn.at(0)->cube(), drawn.at(2)->cube());
  EXPECT_EQ(drawn.at(1)->cube(), drawn.at(3)->cube());
  EXPECT_NE(drawn.at(0)->cube(), drawn.at(1)->cube());
  EXPECT_EQ(drawn.at(0)->cube()->scale(), 50);
  EXPECT_FALSE(drawn.contains(4));
}

// A person of twenty rows moves a number of people by one a group, and not by twenty.
TEST(CubesOf, ANumberOfPeopleIsApartWhereTheyHaveSeveralRows) {
  const std::vector<analysis::ExactMeasure> measures = {Measured(MeasureKind::kUnits),
                                                        Measured(MeasureKind::kSum)};
  EXPECT_TRUE(CubesOf(BlockOf(measures, 20), {}, kPureTerms, ShareOf(1)).empty());
  EXPECT_EQ(CubesOf(BlockOf(measures, 1), {}, kPureTerms, ShareOf(1)).size(), 2u);
}

TEST(CubesOf, WhatShowsGroupsHasItsOwnNoise) {
  const Block block = BlockOf(
      {Measured(MeasureKind::kRows), Measured(MeasureKind::kSum), Measured(MeasureKind::kValues)},
      1);
  const SelectionChoice by_first{SelectionKind::kByMeasure, 0};
  const auto drawn = CubesOf(block, by_first, kPureTerms, ShareOf(1));
  EXPECT_FALSE(drawn.contains(0));
  EXPECT_EQ(drawn.size(), 2u);
  EXPECT_EQ(CubesOf(block, {SelectionKind::kByGeometric, 0}, kPureTerms, ShareOf(1)).size(), 3u);
}

TEST(CubesOf, GaussianNoiseIsDrawnApart) {
  const policy::Privacy zcdp = Terms(policy::Accounting::kZcdp, policy::Neighbours::kAddRemove, 1);
  const Block block = BlockOf({Measured(MeasureKind::kRows), Measured(MeasureKind::kSum)}, 20);
  EXPECT_TRUE(CubesOf(block, {}, zcdp, ShareOf(1)).empty());
}

// At no price is the widest number worse than by itself, nor than at a lower one.
TEST(CubesOf, AHigherPriceNeverBuysLess) {
  const Block block = BlockOf({Measured(MeasureKind::kRows), Measured(MeasureKind::kSum)}, 1);
  Integer before = Integer(1) << 60;
  for (int i = 1; i <= 400; ++i) {
    const Share share = ShareOf(Rational(i, 20));
    const auto drawn = CubesOf(block, {}, kPureTerms, share);
    const Integer apart =
        noise::DiscreteLaplace::Make({.sensitivity_l1 = 50, .epsilon = share.epsilon})->ErrorAt95();
    const Integer error = drawn.empty() ? apart : drawn.at(1)->ErrorAt95();
    EXPECT_LE(error, apart) << i;
    EXPECT_LE(error, before) << i;
    before = error;
  }
}

}  // namespace
}  // namespace tacit::plan
