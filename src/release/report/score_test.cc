#include "release/report/score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/tape_entropy.h"
#include "release/report/regression.h"

namespace tacit::release {
namespace {

using tacit::testing::SeededEntropy;

const Coding kTwoByTwo{.names = {"a", "b"}, .cells = {2, 2}};

TEST(CompareTables, KnowsTheDistanceOfTwoSmallTables) {
  const CodedTable real{.codes = {{0, 0, 1, 1}, {0, 0, 1, 1}}};
  const CodedTable made{.codes = {{0, 0, 1, 1}, {0, 1, 0, 1}}};
  const TableErrors one = CompareTables(real, made, kTwoByTwo, 1);
  EXPECT_EQ(one.tables, 2u);
  EXPECT_EQ(one.total_variation, 0);
  const TableErrors two = CompareTables(real, made, kTwoByTwo, 2);
  EXPECT_EQ(two.total_variation, 0.5);
  EXPECT_EQ(two.max, 0.25);
  EXPECT_EQ(two.mean, 0.25);
  EXPECT_EQ(KMarginal(two), 500);
  EXPECT_EQ(KMarginal(CompareTables(real, real, kTwoByTwo, 2)), 1000);
  EXPECT_EQ(CompareTables(real, made, kTwoByTwo, 3).tables, 0u);
}

TEST(MatchUnique, CountsARealRowOnceHoweverOftenItOccurs) {
  const CodedTable real{.codes = {{0, 0, 1, 1}, {0, 0, 0, 1}}};
  const CodedTable made{.codes = {{1, 1, 0}, {1, 1, 0}}};
  const UniqueMatches matches = MatchUnique(real, made);
  EXPECT_EQ(matches.unique, 2u);
  EXPECT_EQ(matches.matched, 1u);
}

TEST(ClassifierAccuracy, LearnsWhatColumnsSayAboutEachOther) {
  const CodedTable agreeing{.codes = {{0, 0, 1, 1, 0, 1}, {0, 0, 1, 1, 0, 1}}};
  const CodedTable opposed{.codes = {{0, 0, 1, 1, 0, 1}, {1, 1, 0, 0, 1, 0}}};
  EXPECT_EQ(ClassifierAccuracy(agreeing, agreeing, kTwoByTwo, 0), 1);
  EXPECT_EQ(ClassifierAccuracy(opposed, agreeing, kTwoByTwo, 0), 0);
}

TEST(AsGoodAsSample, InterpolatesBetweenTheSamplesThatWereScored) {
  const std::vector<std::pair<double, double>> samples = {{0.01, 0.1}, {0.04, 0.05}, {0.25, 0.02}};
  EXPECT_NEAR(AsGoodAsSample(0.05, samples), 0.04, 1e-12);
  EXPECT_NEAR(AsGoodAsSample(0.0707106781, samples), 0.02, 1e-6);
  EXPECT_EQ(AsGoodAsSample(0.2, samples), 0);
  EXPECT_EQ(AsGoodAsSample(0.01, samples), 1);
}

TEST(Sampled, TakesDifferentRowsAndShuffledKeepsEveryColumn) {
  SeededEntropy entropy(1);
  CodedTable real{.codes = {{}, {}}};
  for (uint32_t i = 0; i < 100; ++i) {
    real.codes[0].push_back(i);
    real.codes[1].push_back(i);
  }
  const CodedTable half = Sampled(real, 0.5, entropy);
  EXPECT_EQ(half.rows(), 50u);
  EXPECT_EQ(half.codes[0], half.codes[1]);
  EXPECT_EQ(MatchUnique(real, half).matched, 50u);
  const CodedTable shuffled = Shuffled(real, entropy);
  EXPECT_THAT(shuffled.codes[1], ::testing::UnorderedElementsAreArray(real.codes[1]));
  EXPECT_NE(shuffled.codes[0], shuffled.codes[1]);
}

TEST(Regress, FindsTheLineThatNumbersFollow) {
  CodedTable line{.codes = {{0, 0, 0, 0, 0}}, .numbers = {{1, 2, 3, 4, 5}, {0, 1, 0, 1, 1}, {}}};
  for (size_t r = 0; r < 5; ++r) {
    line.numbers[2].push_back(3 * line.numbers[0][r] - 2 * line.numbers[1][r]);
  }
  const Regression fit = Regress(line, line, 2);
  EXPECT_NEAR(fit.r_squared, 1, 1e-6);
  // In standard deviations: 3 sd(a) / sd(y) and -2 sd(b) / sd(y).
  EXPECT_NEAR(fit.coefficients[0] / fit.coefficients[1], 3 * 1.41421 / (-2 * 0.48990), 1e-3);
  EXPECT_EQ(CoefficientError(fit, fit), 0);
  CodedTable turned = line;
  turned.numbers[2] = {5, 4, 3, 2, 1};
  EXPECT_GT(CoefficientError(Regress(turned, line, 2), fit), 0.5);
  EXPECT_EQ(ExplainedColumn({.codes = {{0}}, .numbers = {{1}}}), std::nullopt);
}

TEST(PairErrors, SaysWhichPairIsOff) {
  const Coding three{.names = {"a", "b", "c"}, .cells = {2, 2, 2}};
  const CodedTable real{.codes = {{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 1, 0, 1}}};
  const CodedTable made{.codes = {{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 0, 1}}};
  const auto errors = PairErrors(real, made, three);
  EXPECT_EQ(errors[0][1], 0.5);
  EXPECT_EQ(errors[0][2], 0);
  EXPECT_EQ(errors[2][1], errors[1][2]);
}

}  // namespace
}  // namespace tacit::release
