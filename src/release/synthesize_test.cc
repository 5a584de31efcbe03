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

TEST(Synthesize, KeepsWhatColumnsHaveToDoWithEachOther) {
  for (const Method method : {Method::kMixture, Method::kDirect}) {
    const SyntheticTable made = MadeOf(Agreeing(100), kAgreeing, Rho(1, 10), {.method = method});
    EXPECT_NEAR(static_cast<double>(made.codes[0].size()), 18'000, 200);
    EXPECT_GT(ShareAgreeing(made), 0.97);
    // The years of the first third belong to the first value.
    size_t right = 0;
    for (size_t r = 0; r < made.codes[0].size(); ++r) {
      right += made.codes[2][r] / 20 == made.codes[0][r] ? 1 : 0;
    }
    EXPECT_GT(static_cast<double>(right) / static_cast<double>(made.codes[0].size()), 0.9);
    EXPECT_GT(made.summary.dependence, 2 * made.summary.dependence_noise);
  }
}

TEST(Synthesize, GivesTheSameRowsOnAnyNumberOfThreads) {
  const SynthesisWish one{.workload = Workload::kTriples, .threads = 1};
  const SynthesisWish three{.workload = Workload::kTriples, .threads = 3};
  const SyntheticTable a = MadeOf(Agreeing(5), kAgreeing, Rho(1, 10), one);
  const SyntheticTable b = MadeOf(Agreeing(5), kAgreeing, Rho(1, 10), three);
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.summary.triples, 1u);
  EXPECT_NE(a.codes, MadeOf(Agreeing(5), kAgreeing, Rho(1, 10), one, 8).codes);
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
