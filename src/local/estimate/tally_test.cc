#include "local/estimate/tally.h"

#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"

namespace tacit::local {
namespace {

using testing::SeededEntropy;

TEST(BitColumns, CountsWhatAPlainLoopCounts) {
  SeededEntropy random(11);
  for (const size_t rows : {0, 1, 7, 8, 9, 2040, 2048, 5001}) {
    BitColumns columns(3);
    std::vector<uint64_t> expected(3 * 64);
    for (size_t i = 0; i < rows; ++i) {
      const std::array<uint64_t, 3> row = {random.NextWord(), ~uint64_t{0},
                                           random.NextWord() & random.NextWord()};
      columns.Add(row);
      for (size_t bit = 0; bit < expected.size(); ++bit) {
        expected[bit] += row[bit / 64] >> (63 - bit % 64) & 1;
      }
    }
    EXPECT_EQ(columns.Counts(), expected);
  }
}

TEST(Tally, BothWaysToDecodeHashedReportsAgree) {
  SeededEntropy random(12);
  for (const uint32_t buckets : {2, 3, 4, 5, 8, 16, 31}) {
    for (const uint32_t values : {2, 9, 100, 700}) {
      const HashFamily family(values, buckets);
      std::vector<uint64_t> cells(size_t{family.seeds()} * buckets);
      for (uint64_t& cell : cells) cell = random.NextWord() % 1000;
      EXPECT_EQ(SupportByDigits(family, cells), SupportByPairs(family, cells));
    }
  }
}

TEST(Tally, MergedTalliesAreTheTallyOfAll) {
  for (const Mechanism mechanism : {Mechanism::kKary, Mechanism::kOptimal, Mechanism::kHashing}) {
    const Design design = MakeDesign({mechanism, 70, Epsilon(1, 1)}).value();
    Tally all(design);
    Tally first(design);
    Tally second(design);
    SeededEntropy random(13);
    for (uint32_t i = 0; i < 999; ++i) {
      Report report;
      if (HasBits(mechanism)) {
        report.bits = {random.NextWord(), random.NextWord() & LastWordMask(70)};
      } else {
        report.value = static_cast<uint32_t>(random.NextWord() % 4);
        if (mechanism == Mechanism::kHashing) report.seed = i % all.seeds();
      }
      ASSERT_TRUE(all.Add(report).ok());
      ASSERT_TRUE((i % 3 ? first : second).Add(report).ok());
    }
    first.Merge(second);
    EXPECT_EQ(first.people(), 999u);
    EXPECT_EQ(first.Support(), all.Support());
  }
}

TEST(Tally, ReportsOfAnotherDesignAreRefusedAndNotCounted) {
  Tally krr(MakeDesign({Mechanism::kKary, 5, Epsilon(1, 1)}).value());
  EXPECT_FALSE(krr.Add({.value = 5}).ok());
  EXPECT_FALSE(krr.Add({.seed = 1, .value = 2}).ok());
  EXPECT_FALSE(krr.Add({.value = 2, .bits = {1}}).ok());
  Tally oue(MakeDesign({Mechanism::kOptimal, 5, Epsilon(1, 1)}).value());
  EXPECT_FALSE(oue.Add({.bits = {1}}).ok()) << "the lowest bit is no value";
  EXPECT_FALSE(oue.Add({.bits = {}}).ok());
  EXPECT_FALSE(oue.Add({.bits = {0, 0}}).ok());
  Tally olh(MakeDesign({Mechanism::kHashing, 5, Epsilon(1, 1)}).value());
  EXPECT_FALSE(olh.Add({.seed = olh.seeds()}).ok());
  EXPECT_FALSE(olh.Add({.value = 4}).ok());
  EXPECT_EQ(krr.people() + oue.people() + olh.people(), 0u);
}

}  // namespace
}  // namespace tacit::local
