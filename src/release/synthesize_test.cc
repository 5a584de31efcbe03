#include "release/synthesize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/testing/tape_entropy.h"

namespace tacit::release {
namespace {

using tacit::testing::SeededEntropy;
using ::testing::Each;
using ::testing::ElementsAre;

const Moved kOneRow{.rows = 1, .l2_squared = 1};

// Two columns that always agree, and a third one that is wide.
Joint Agreeing(int64_t of_each) {
  Joint joint{.codes = {{}, {}, {}}, .weights = {}};
  for (uint16_t value = 0; value < 3; ++value) {
    for (uint16_t year = 0; year < 60; ++year) {
      joint.codes[0].push_back(value);
      joint.codes[1].push_back(value);
      joint.codes[2].push_back(static_cast<uint16_t>(20 * value + year / 3));
      joint.weights.push_back(of_each);
    }
  }
  return joint;
}
const std::vector<ColumnShape> kAgreeing = {
    {.cells = 3}, {.cells = 4, .has_null = true}, {.cells = 60, .ordered = true}};

SyntheticTable MadeOf(const Joint& joint, const std::vector<ColumnShape>& columns, const Rho& rho,
                      const SynthesisWish& wish = {}, uint64_t seed = 7) {
  SeededEntropy entropy(seed);
  return Synthesize(joint, columns, kOneRow, rho, wish, entropy, nullptr);
}

double ShareAgreeing(const SyntheticTable& table) {
  size_t same = 0;
  for (size_t r = 0; r < table.codes[0].size(); ++r) {
    same += table.codes[0][r] == table.codes[1][r] ? 1 : 0;
  }
  return static_cast<double>(same) / static_cast<double>(table.codes[0].size());
}

TEST(Synthesize, TellsHowFarItIsWithoutGoingBack) {
  for (const Method method :
       {Method::kMixture, Method::kDirect, Method::kAdaptive, Method::kMwem}) {
    SeededEntropy entropy(7);
    double before = 0;
    double largest_leap = 0;
    const auto told = [&](const std::string& doing, double percent) {
      EXPECT_GE(percent, before) << doing;
      EXPECT_LE(percent, 100) << doing;
      largest_leap = std::max(largest_leap, percent - before);
      before = percent;
    };
    Synthesize(Agreeing(100), kAgreeing, kOneRow, Rho(1, 10), {.method = method}, entropy, told);
    EXPECT_GE(before, 70);
    EXPECT_LE(largest_leap, 85) << "the first part is not all of the work";
  }
}

TEST(Synthesize, KeepsWhatColumnsHaveToDoWithEachOther) {
  for (const Method method :
       {Method::kMixture, Method::kDirect, Method::kAdaptive, Method::kMwem}) {
    const SyntheticTable made = MadeOf(Agreeing(100), kAgreeing, Rho(1, 10), {.method = method});
    EXPECT_NEAR(static_cast<double>(made.codes[0].size()), 18'000, 200);
    EXPECT_GT(ShareAgreeing(made), 0.97);
    // The years of the first third belong to the first value.
    size_t right = 0;
    for (size_t r = 0; r < made.codes[0].size(); ++r) {
      right += made.codes[2][r] / 20 == made.codes[0][r] ? 1 : 0;
    }
    EXPECT_GT(static_cast<double>(right) / static_cast<double>(made.codes[0].size()), 0.9);
    if (method == Method::kMwem) continue;
    EXPECT_GT(made.summary.dependence, 2 * made.summary.dependence_noise);
  }
}

TEST(Synthesize, EstimatesItsOwnErrorWithinItsNoise) {
  // Rows that say the opposite of the truth are far off, and these are not.
  const SyntheticTable made = MadeOf(Agreeing(100), kAgreeing, Rho(1, 10));
  EXPECT_LT(made.summary.error, 0.06);
  EXPECT_GT(made.summary.error_noise, 0);
  EXPECT_LT(made.summary.error_noise, 0.01);
  const SyntheticTable blind = MadeOf(Agreeing(100), kAgreeing, Rho(1, 2'000'000));
  EXPECT_GT(blind.summary.error + 3 * blind.summary.error_noise, 0.3);
}

// Who has the first value of the first column and is in the last third of the years: nobody, and
// the opposite of it everybody.
TEST(Synthesize, AnswersCountsWithConditions) {
  View first{.cell_of = {0, kNowhere, kNowhere}, .cells = 1};
  View early{.cell_of = std::vector<uint16_t>(60, kNowhere), .cells = 1};
  for (size_t i = 0; i < 20; ++i) early.cell_of[i] = 0;
  std::vector<ColumnShape> columns = kAgreeing;
  columns[2].cuts = {20};
  for (const Method method : {Method::kMixture, Method::kAdaptive, Method::kMwem}) {
    SCOPED_TRACE(static_cast<int>(method));
    SynthesisWish wish{.method = method, .workload = Workload::kQueries};
    wish.queries = {{.columns = {0, 2}, .views = {first, early}}, {.columns = {0, 1}}};
    const SyntheticTable made = MadeOf(Agreeing(100), columns, Rho(1, 10), wish);
    size_t counted = 0;
    for (size_t r = 0; r < made.codes[0].size(); ++r) {
      counted += made.codes[0][r] == 0 && made.codes[2][r] < 20 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(counted), 6000, 250);
    ASSERT_EQ(made.answered.size(), 2u);
    for (const Answered& answered : made.answered) {
      if (answered.which != 0) continue;
      EXPECT_NEAR(answered.table.counts.at(0), 6000, 50);
    }
  }
}

TEST(Synthesize, NeverWritesWhatIsImpossible) {
  SynthesisWish wish;
  // The first column's first value with years below 10, though half of these rows are there.
  wish.impossible = {{.columns = {0, 2}, .cells = {{true, false, false}, std::vector<bool>(60)}}};
  for (size_t i = 0; i < 10; ++i) wish.impossible[0].cells[1][i] = true;
  std::vector<ColumnShape> columns = kAgreeing;
  columns[2].cuts = {10};
  for (const Method method :
       {Method::kMixture, Method::kDirect, Method::kAdaptive, Method::kMwem}) {
    wish.method = method;
    const SyntheticTable made = MadeOf(Agreeing(20), columns, Rho(1, 10), wish);
    EXPECT_GT(made.codes[0].size(), 3000u);
    for (size_t r = 0; r < made.codes[0].size(); ++r) {
      ASSERT_FALSE(made.codes[0][r] == 0 && made.codes[2][r] < 10);
    }
  }
}

// Forty columns, of which the first two alone have to do with each other.
TEST(Synthesize, FindsThePairThatMattersAmongManyColumns) {
  Joint joint{.codes = std::vector<std::vector<uint16_t>>(40), .weights = {}};
  SeededEntropy entropy(3);
  for (size_t r = 0; r < 4000; ++r) {
    for (size_t c = 0; c < 40; ++c) {
      joint.codes[c].push_back(static_cast<uint16_t>(entropy.NextWord() % 2));
    }
    joint.codes[1].back() = joint.codes[0].back();
    joint.weights.push_back(1);
  }
  const std::vector<ColumnShape> columns(40, {.cells = 2});
  const SyntheticTable made = MadeOf(joint, columns, Rho(1, 5));
  EXPECT_EQ(made.summary.pairs, 160u);
  EXPECT_EQ(MadeOf(joint, columns, Rho(1, 5), {.threads = 3}).codes, made.codes);
  EXPECT_GT(ShareAgreeing(made), 0.9);
}

TEST(Synthesize, GivesTheSameRowsOnAnyNumberOfThreads) {
  const SynthesisWish one{.workload = Workload::kTriples, .threads = 1};
  const SynthesisWish three{.workload = Workload::kTriples, .threads = 3};
  const SyntheticTable a = MadeOf(Agreeing(5), kAgreeing, Rho(1, 10), one);
  const SyntheticTable b = MadeOf(Agreeing(5), kAgreeing, Rho(1, 10), three);
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.summary.tables, 1u);
  EXPECT_NE(a.codes, MadeOf(Agreeing(5), kAgreeing, Rho(1, 10), one, 8).codes);
}

// A third of what counts are rows that count a half each: they are half of the rows.
TEST(Synthesize, WritesRowsThatCountForLessInTheirFullNumber) {
  Joint joint{.codes = {{0, 1, 0, 1}, {0, 0, 1, 1}}, .weights = {3900, 100, 100, 1900}, .parts = 2};
  for (int64_t& weight : joint.weights) weight *= 2;
  const std::vector<ColumnShape> columns(2, {.cells = 2});
  for (const Method method :
       {Method::kMixture, Method::kDirect, Method::kAdaptive, Method::kMwem}) {
    SynthesisWish wish{.method = method};
    wish.weighing = {.column = 1, .weights = {1, 0.5}};
    const SyntheticTable made = MadeOf(joint, columns, Rho(10, 1), wish);
    EXPECT_NEAR(static_cast<double>(made.codes[0].size()), 8000, 40);
    EXPECT_NEAR(made.summary.rows_estimated, 8000, 40);
    size_t light = 0;
    for (const uint16_t cell : made.codes[1]) light += cell;
    EXPECT_NEAR(static_cast<double>(light), 4000, 60);
    EXPECT_NEAR(ShareAgreeing(made), (3900 + 3800) / 8000.0, 0.01);
    EXPECT_LT(made.summary.error, 0.02);
  }
}

TEST(Synthesize, TakesOneColumnOneRowAndNoRows) {
  const Joint one{.codes = {{2}}, .weights = {1}};
  const SyntheticTable made = MadeOf(one, {{.cells = 3}}, Rho(100'000, 1));
  EXPECT_THAT(made.codes, ElementsAre(ElementsAre(2)));
  const Joint nobody{.codes = {{}, {}}, .weights = {}};
  const SyntheticTable empty = MadeOf(nobody, {{.cells = 3}, {.cells = 2}}, Rho(100'000, 1));
  EXPECT_THAT(empty.codes, ElementsAre(ElementsAre(), ElementsAre()));
}

TEST(Synthesize, KeepsAColumnThatIsNullThroughout) {
  const Joint joint{.codes = {{2, 2}, {0, 1}}, .weights = {300, 200}};
  const SyntheticTable made =
      MadeOf(joint, {{.cells = 3, .has_null = true}, {.cells = 2}}, Rho(10, 1));
  EXPECT_THAT(made.codes[0], Each(2));
}

TEST(Synthesize, WritesAsManyRowsAsAreAskedFor) {
  EXPECT_EQ(MadeOf(Agreeing(5), kAgreeing, Rho(1, 10), {.rows = 1234}).codes[2].size(), 1234u);
  EXPECT_EQ(MadeOf(Agreeing(5), kAgreeing, Rho(1, 10), {.rows_max = 10}).codes[2].size(), 10u);
}

TEST(Synthesize, SaysWhereNothingWasFoundBeyondIndependentColumns) {
  const SyntheticTable made = MadeOf(Agreeing(1), kAgreeing, Rho(1, 1'000'000));
  EXPECT_LT(made.summary.dependence, 2 * made.summary.dependence_noise);
}

TEST(Synthesize, UsesWholeRhoOfThreeColumnsForATripleThatPairsDoNotShow) {
  // The third column says whether the first two differ: no pair shows it.
  Joint joint{.codes = {{}, {}, {}}, .weights = {}};
  for (uint16_t a = 0; a < 2; ++a) {
    for (uint16_t b = 0; b < 2; ++b) {
      joint.codes[0].push_back(a);
      joint.codes[1].push_back(b);
      joint.codes[2].push_back(a ^ b);
      joint.weights.push_back(5000);
    }
  }
  const std::vector<ColumnShape> columns(3, {.cells = 2});
  const auto share = [&](Workload workload) {
    const SyntheticTable made = MadeOf(joint, columns, Rho(1, 10), {.workload = workload});
    size_t right = 0;
    for (size_t r = 0; r < made.codes[0].size(); ++r) {
      right += (made.codes[0][r] ^ made.codes[1][r]) == made.codes[2][r] ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(made.codes[0].size());
  };
  EXPECT_LT(share(Workload::kPairs), 0.6);
  EXPECT_GT(share(Workload::kTriples), 0.9);
}

}  // namespace
}  // namespace tacit::release
