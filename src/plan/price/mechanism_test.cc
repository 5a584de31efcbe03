#include "plan/price/mechanism.h"

#include <gtest/gtest.h>

#include "accounting/cost.h"

namespace tacit::plan {
namespace {

using analysis::MeasureKind;

const Share kShare{.epsilon = Epsilon(1, 2), .rho = Rho(Rational(1, 8))};

policy::Privacy Terms(policy::Accounting accounting) {
  policy::Privacy privacy;
  privacy.accounting = accounting;
  return privacy;
}

// Of a block in which one person has so many rows, over values 0, 0.1, ..., 5.
Measure Made(MeasureKind kind, policy::Accounting accounting, int rows_per_unit = 3) {
  analysis::Block block;
  block.rows.rows_per_unit = rows_per_unit;
  decltype(block.measures)::value_type measure;
  measure.kind = kind;
  measure.argument = sql::MakeExpression(sql::Literal{sql::LiteralKind::kInteger, "1", {}});
  measure.factor = measure.argument;
  measure.grid = {.step = Rational(1, 10), .low_steps = 0, .high_steps = 50};
  measure.factor_grid = measure.grid;
  measure.quantile = Rational(1, 2);
  measure.cell_steps = 5;
  measure.values.resize(4);
  return MakeMeasure(measure, block, Terms(accounting), kShare).value();
}

TEST(MakeMeasure, ACountHasNoiseForAllRowsOfOnePerson) {
  const Measure pure = Made(MeasureKind::kRows, policy::Accounting::kPure);
  EXPECT_EQ(pure.mechanism->Name(), "discrete_laplace");
  EXPECT_EQ(pure.sensitivity_l1, 3);
  EXPECT_EQ(pure.scale, 6);
  EXPECT_EQ(pure.cost.epsilon, Rational(1, 2));
  EXPECT_EQ(pure.cost.rho, 0);
  const Measure zcdp = Made(MeasureKind::kRows, policy::Accounting::kZcdp);
  EXPECT_EQ(zcdp.mechanism->Name(), "discrete_gaussian");
  EXPECT_EQ(zcdp.scale, 6);  // sigma^2 = 3^2 / (2 rho)
  EXPECT_EQ(zcdp.cost.epsilon, 0);
  EXPECT_EQ(zcdp.cost.rho, Rational(1, 8));
}

TEST(MakeMeasure, ASumsNoiseIsInTheColumnsOwnUnit) {
  const Measure sum = Made(MeasureKind::kSum, policy::Accounting::kPure);
  EXPECT_EQ(sum.step, Rational(1, 10));
  EXPECT_EQ(sum.sensitivity_l1, 15);  // three rows of at most 5
  EXPECT_EQ(sum.scale, 30);
  EXPECT_EQ(sum.moe95, Rational(sum.mechanism->ErrorAt95() * sum.step));
  const Measure squares = Made(MeasureKind::kSumOfSquares, policy::Accounting::kPure);
  EXPECT_EQ(squares.step, Rational(1, 100));
  EXPECT_EQ(squares.sensitivity_l1, 75);
}

TEST(MakeMeasure, AChoicesErrorIsInRowsWhateverACellIsWorth) {
  for (const MeasureKind kind : {MeasureKind::kQuantile, MeasureKind::kMode}) {
    const Measure choice = Made(kind, policy::Accounting::kPure);
    EXPECT_EQ(choice.mechanism->Name(),
              kind == MeasureKind::kMode ? "permute_and_flip" : "exponential_mechanism");
    EXPECT_EQ(choice.sensitivity_l1, 3);
    // A quantile's utilities move apart by two for each row, a mode's by one.
    EXPECT_EQ(choice.scale, kind == MeasureKind::kMode ? 6 : 12);
    EXPECT_EQ(choice.moe95, Rational(choice.mechanism->ErrorAt95()));
  }
  EXPECT_EQ(Made(MeasureKind::kQuantile, policy::Accounting::kPure).step, Rational(1, 2));
}

TEST(MakeMeasure, NoMechanismCostsMoreThanIsChargedForIt) {
  for (const MeasureKind kind :
       {MeasureKind::kRows, MeasureKind::kValues, MeasureKind::kUnits, MeasureKind::kDistinct,
        MeasureKind::kSum, MeasureKind::kSumOfSquares, MeasureKind::kSumOfProducts,
        MeasureKind::kQuantile, MeasureKind::kMode}) {
    const Measure pure = Made(kind, policy::Accounting::kPure);
    EXPECT_LE(accounting::PureEpsilon(pure.mechanism->event())->value, pure.cost.epsilon);
    const Measure zcdp = Made(kind, policy::Accounting::kZcdp);
    const Rational rho = accounting::ZcdpCostOf(zcdp.mechanism->event())->rho.value;
    EXPECT_LE(rho, zcdp.cost.rho);
    EXPECT_GT(Rational(rho * Rational(1'000'001, 1'000'000)), zcdp.cost.rho) << "nothing is lost";
  }
}

}  // namespace
}  // namespace tacit::plan
