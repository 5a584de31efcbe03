#include "plan/price/levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/price/draft.h"

namespace tacit::plan {
namespace {

using analysis::Block;
using analysis::Facts;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Lists of so many values each, of which the levels take those named.
Facts FactsWith(const std::vector<int>& lists, const std::vector<std::vector<size_t>>& sets) {
  Facts facts;
  Block block;
  block.name = "tacit_release_1";
  analysis::TableScan scan;
  scan.alias = "t1";
  block.rows.source = analysis::RowSource(analysis::RowSourceNode{scan});
  for (const int length : lists) {
    const sql::ColumnReference column{"t1", "x" + std::to_string(block.keys.size())};
    analysis::Key key;
    key.expression = sql::MakeExpression(column);
    key.sources.push_back({.column = column,
                           .keys = policy::KeyRange{.from = 1, .to = length, .step = 1},
                           .type = kIntegerType});
    block.keys.push_back(key);
  }
  analysis::ExactMeasure rows;
  block.measures.push_back(rows);
  block.released.push_back(
      {.name = "c1", .type = {}, .text = "count(*)", .value = analysis::CountColumn{0}});
  facts.blocks.push_back(block);
  facts.levels.push_back({.name = "levels", .block = 0, .sets = sets});
  return facts;
}

policy::Privacy PrivacyWith(policy::Accounting accounting) {
  policy::Privacy privacy;
  privacy.accounting = accounting;
  return privacy;
}
const policy::Privacy kPure = PrivacyWith(policy::Accounting::kPure);
const policy::Privacy kZcdp = PrivacyWith(policy::Accounting::kZcdp);

std::vector<std::vector<size_t>> OwnOf(const Facts& facts, const policy::Privacy& privacy) {
  const Facts wider = WithOwnLevels(facts, privacy);
  std::vector<std::vector<size_t>> own;
  for (const size_t index : wider.levels[0].own) own.push_back(wider.blocks[index].totals->keys);
  return own;
}

const std::vector<std::vector<size_t>> kRollupOfTwo = {{0, 1}, {0}, {}};

TEST(Levels, OfFewGroupsAreSums) {
  EXPECT_THAT(OwnOf(FactsWith({3}, {{0}, {}}), kPure), IsEmpty());
  EXPECT_THAT(OwnOf(FactsWith({3, 2}, kRollupOfTwo), kPure), IsEmpty());
}

TEST(Levels, OfManyGroupsHaveTotalsOfTheirOwn) {
  // (1 + sqrt 50) / 2 is above 2.
  EXPECT_THAT(OwnOf(FactsWith({50}, {{0}, {}}), kPure), ElementsAre(IsEmpty()));
  EXPECT_THAT(OwnOf(FactsWith({20, 36}, kRollupOfTwo), kPure),
              ElementsAre(IsEmpty(), ElementsAre(0u)));
}

TEST(Levels, HaveTotalsSoonerUnderZcdpWherePricesAddUpByTheirRoots) {
  const Facts facts = FactsWith({6}, {{0}, {}});
  EXPECT_THAT(OwnOf(facts, kPure), IsEmpty());               // 1.72 and 2
  EXPECT_THAT(OwnOf(facts, kZcdp), ElementsAre(IsEmpty()));  // 1.72 and 1.41
}

TEST(Levels, OfACubeHaveTotalsThatAreTotalsOfEachOther) {
  const Facts cube = FactsWith({30, 40}, {{0, 1}, {0}, {1}, {}});
  const auto own = OwnOf(cube, kPure);
  ASSERT_FALSE(own.empty());
  for (size_t i = 1; i < own.size(); ++i) {
    EXPECT_TRUE(std::includes(own[i].begin(), own[i].end(), own[i - 1].begin(), own[i - 1].end()) ||
                std::includes(own[i - 1].begin(), own[i - 1].end(), own[i].begin(), own[i].end()));
  }
}

TEST(Levels, AreAsFarOffAsTheFormulaSays) {
  const Facts facts = FactsWith({20, 36}, kRollupOfTwo);
  const auto largest = [](const Facts& of) {
    return LargestVariance(of.levels[0], of.blocks, of.blocks[of.levels[0].block], kPure);
  };
  EXPECT_EQ(largest(facts), 720) << "all are added up";
  EXPECT_EQ(largest(WithOwnLevels(facts, kPure)), 1) << "none is further off than its own noise";
}

TEST(Levels, LeaveBlocksBehindThemInTheirOrder) {
  Facts facts = FactsWith({50}, {{0}, {}});
  Block later = facts.blocks[0];
  later.name = "tacit_release_2";
  later.made_from = {0};
  facts.blocks.push_back(later);
  facts.columns.push_back({.name = "n", .type = {}, .shows = std::pair(size_t{1}, size_t{0})});
  const Facts wider = WithOwnLevels(facts, kPure);
  ASSERT_EQ(wider.blocks.size(), 3u);
  EXPECT_EQ(wider.blocks[1].totals->of, 0u);
  EXPECT_EQ(wider.blocks[2].name, "tacit_release_2");
  EXPECT_EQ(wider.columns[0].shows->first, 2u);
  EXPECT_THAT(wider.levels[0].own, ElementsAre(1u));
}

TEST(Levels, OfAListThatOnlyTheDatabaseKnowsAreSums) {
  Facts facts = FactsWith({50}, {{0}, {}});
  facts.blocks[0].keys[0].sources[0].keys = policy::KeysOfTable{"place", "code"};
  EXPECT_THAT(OwnOf(facts, kPure), IsEmpty());
}

}  // namespace
}  // namespace tacit::plan
