#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/aggregates/choices/cells.h"
#include "analysis/aggregates/moments/summand.h"
#include "analysis/aggregates/rules.h"
#include "analysis/testing/asked.h"

namespace tacit::analysis {
namespace {

using testing::BlockOf;
using testing::RuleOf;
using ::testing::SizeIs;

ExactMeasure MeasureOf(const std::string& aggregate, const std::string& rest = "people") {
  return BlockOf("SELECT " + aggregate + " FROM " + rest).measures.at(0);
}

using Steps = std::pair<Int128, Int128>;

Steps StepsOf(const ExactMeasure& measure) {
  return {measure.grid.low_steps, measure.grid.high_steps};
}

TEST(Summand, IsBoundedByThePolicyByTheQueryOrByItsConditions) {
  EXPECT_TRUE(StepsOf(MeasureOf("sum(age)")) == Steps(0, 120));
  EXPECT_TRUE(StepsOf(MeasureOf("sum(least(greatest(cost, 0), 10))", "visits")) == Steps(0, 10));
  EXPECT_TRUE(StepsOf(MeasureOf("sum(cost)", "visits WHERE cost BETWEEN 5 AND 8")) == Steps(5, 8));
  EXPECT_TRUE(StepsOf(MeasureOf("sum(age) FILTER (WHERE age < 18)")) == Steps(0, 18));
  EXPECT_TRUE(StepsOf(MeasureOf("sum(2 * age + 1)")) == Steps(1, 241));
}

TEST(Summand, WithoutBoundsIsRefused) {
  for (const char* query : {"SELECT sum(cost) FROM visits", "SELECT avg(cost) FROM visits",
                            "SELECT sum(cost) FROM visits WHERE cost > 0",
                            "SELECT stddev(cost) FROM visits", "SELECT max(cost) FROM visits",
                            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visits",
                            "SELECT corr(cost, days) FROM visits"}) {
    EXPECT_EQ(RuleOf(query), "no_bounds") << query;
  }
  EXPECT_EQ(RuleOf("SELECT sum(city) FROM people"), "wrong_type");
  EXPECT_EQ(RuleOf("SELECT sum(DISTINCT age) FROM people"), "aggregate_without_rule");
}

TEST(Summand, LiesOnTheGridOfItsColumnWhereItIsOneOfItsValues) {
  EXPECT_EQ(MeasureOf("sum(weight)", "visits").grid.step, Rational(1, 2));
  EXPECT_EQ(MeasureOf("sum(least(weight, 100))", "visits").grid.step, Rational(1, 2));
  EXPECT_EQ(MeasureOf("sum(age)").grid.step, Rational(1));
  EXPECT_NE(MeasureOf("sum(weight * 3)", "visits").grid.step, Rational(1, 2));
}

TEST(Summand, ARangeOfMoreThan62BitsOfStepsIsRefused) {
  EXPECT_EQ(RuleOf("SELECT sum(mass) FROM notes"), "");
  EXPECT_EQ(RuleOf("SELECT sum(least(greatest(mass, -1e17), 1e17)) FROM notes"), "grid_too_fine")
      << "greatest gives its bound where the column is NULL";
}

TEST(Moments, AreCentredSoThatTheLargestSummandIsHalf) {
  EXPECT_TRUE(MeasureOf("sum(age)").centre == 0);
  for (const ExactMeasure& measure : BlockOf("SELECT avg(age) FROM people").measures) {
    EXPECT_TRUE(measure.kind == MeasureKind::kValues || measure.centre == 60);
  }
}

TEST(Moments, SquaresAreOfAGridThatIsCoarseEnough) {
  for (const ExactMeasure& measure : BlockOf("SELECT var_pop(mass) FROM notes").measures) {
    if (measure.kind == MeasureKind::kValues) continue;
    EXPECT_TRUE(measure.grid.high_steps - measure.grid.low_steps <= Int128{1} << 30);
    EXPECT_GT(measure.grid.step, Rational(1, 1000));
  }
  policy::Grid fine{.step = Rational(1), .low_steps = 0, .high_steps = 100};
  ASSERT_TRUE(CoarsenForSquares(fine).ok());
  EXPECT_EQ(fine.step, Rational(1)) << "what fits stays";
}

TEST(Moments, OfPairsAreSharedByAllThatNeedThem) {
  const std::string from = " FROM people JOIN visits USING (pid)";
  EXPECT_THAT(BlockOf("SELECT corr(age, days)" + from).measures, SizeIs(6));
  EXPECT_THAT(
      BlockOf("SELECT corr(age, days), corr(days, age), regr_slope(age, days)" + from).measures,
      SizeIs(6));
  EXPECT_THAT(BlockOf("SELECT regr_count(age, days)" + from).measures, SizeIs(1));
}

TEST(Count, OfTheUnitCountsPeopleAndOfAnythingElseValues) {
  EXPECT_EQ(MeasureOf("count(*)").kind, MeasureKind::kRows);
  EXPECT_EQ(MeasureOf("count(1)").kind, MeasureKind::kRows);
  EXPECT_EQ(MeasureOf("count(city)").kind, MeasureKind::kValues);
  EXPECT_EQ(MeasureOf("count(DISTINCT pid)").kind, MeasureKind::kUnits);
  EXPECT_EQ(MeasureOf("count(DISTINCT city)").kind, MeasureKind::kDistinct);
  EXPECT_EQ(MeasureOf("count(DISTINCT pid + 0)").kind, MeasureKind::kDistinct);
  EXPECT_EQ(MeasureOf("count(DISTINCT owner)", "cards").kind, MeasureKind::kUnits);
}

TEST(Choices, QuantilesAreCutIntoAtMostTwoMillionCells) {
  ExactMeasure measure;
  constexpr Int128 kCells = 1 << 21;
  for (const Int128 points : {Int128{1}, Int128{2}, Int128{1'500'001}, kCells, kCells + 1,
                              5 * kCells, (Int128{1} << 63) + 1}) {
    measure.grid = {.step = 1, .low_steps = 7, .high_steps = 7 + points - 1};
    CutIntoCells(measure);
    const Int128 cells = (points + measure.cell_steps - 1) / measure.cell_steps;
    EXPECT_TRUE(cells >= 1 && cells <= kCells) << ToString(points);
    EXPECT_TRUE(points > kCells || measure.cell_steps == 1) << ToString(points);
  }
}

TEST(Choices, ExtremesAreQuantilesAndAFractionIsOne) {
  EXPECT_TRUE(MeasureOf("max(age)").extreme);
  EXPECT_EQ(MeasureOf("max(age)").quantile, Rational(1));
  EXPECT_EQ(MeasureOf("min(DISTINCT age)").quantile, Rational(0));
  EXPECT_EQ(MeasureOf("percentile_cont(0.25) WITHIN GROUP (ORDER BY age DESC)").quantile,
            Rational(3, 4));
  EXPECT_EQ(RuleOf("SELECT percentile_cont(1.5) WITHIN GROUP (ORDER BY age) FROM people"),
            "wrong_type");
  EXPECT_EQ(RuleOf("SELECT percentile_cont(age) WITHIN GROUP (ORDER BY age) FROM people"),
            "wrong_type");
}

TEST(Choices, AModeIsOneOfTheDeclaredKeys) {
  EXPECT_THAT(MeasureOf("mode() WITHIN GROUP (ORDER BY sex)").values, SizeIs(2));
  EXPECT_EQ(RuleOf("SELECT mode() WITHIN GROUP (ORDER BY city) FROM people"),
            "aggregate_without_rule");
  EXPECT_EQ(RuleOf("SELECT mode() WITHIN GROUP (ORDER BY lower(sex)) FROM people"),
            "aggregate_without_rule");
}

TEST(Rules, OfAggregatesAreFoundByNameAndNamedInRefusals) {
  for (const std::string& name : AggregatesWithRules()) {
    ASSERT_NE(FindAggregateRule(name), nullptr);
    EXPECT_EQ(FindAggregateRule(name)->name, name);
  }
  EXPECT_EQ(FindAggregateRule("string_agg"), nullptr);
}

}  // namespace
}  // namespace tacit::analysis
