#include "plan/price/mechanism.h"

#include "accounting/cost.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/mode/mode.h"
#include "noise/quantile/quantile.h"
#include "plan/people_words.h"

namespace tacit::plan {
namespace {

using analysis::MeasureKind;
using analysis::QuantilePart;

// The released quantity, as EXPLAIN calls it.
std::string AggregateName(const analysis::ExactMeasure& measure) {
  switch (measure.kind) {
    case MeasureKind::kSum:
      return "sum";
    case MeasureKind::kSumOfSquares:
      return "sum_of_squares";
    case MeasureKind::kSumOfProducts:
      return "sum_of_products";
    case MeasureKind::kMode:
      return "mode";
    case MeasureKind::kQuantile:
      if (measure.part == QuantilePart::kLowEnd) return "quantile_low";
      if (measure.part == QuantilePart::kHighEnd) return "quantile_high";
      return !measure.extreme ? "quantile" : measure.quantile == 0 ? "min" : "max";
    default:
      return "count";
  }
}

// What one step of the released integer is worth.
Rational StepOf(const analysis::ExactMeasure& measure) {
  switch (measure.kind) {
    case MeasureKind::kSum:
      return measure.grid.step;
    case MeasureKind::kSumOfSquares:
      return Rational(measure.grid.step * measure.grid.step);
    case MeasureKind::kSumOfProducts:
      return Rational(measure.grid.step * measure.factor_grid.step);
    case MeasureKind::kQuantile:
      return Rational(measure.grid.step * MakeRational(measure.cell_steps));
    default:
      return 1;
  }
}

std::string CentreText(Int128 centre, const policy::Grid& grid) {
  return ToString(Rational(MakeRational(centre) * grid.step));
}

std::string TextOf(const analysis::ExactMeasure& measure, const analysis::Block& block) {
  const auto words = [&](const sql::Expression& part) { return WordsOf(part, block); };
  std::string text;
  switch (measure.kind) {
    case MeasureKind::kRows:
      text = "count(*)";
      break;
    case MeasureKind::kValues:
      text = "count(" + words(measure.argument) + ")";
      break;
    case MeasureKind::kUnits:
      text = "count(DISTINCT unit)";
      break;
    case MeasureKind::kSum:
      text = "sum(" + words(measure.argument) + ")";
      break;
    case MeasureKind::kDistinct:
      text = "count(DISTINCT " + words(measure.argument) + ")";
      break;
    case MeasureKind::kQuantile:
      text = measure.extreme ? AggregateName(measure) : "quantile " + ToString(measure.quantile);
      if (measure.part == QuantilePart::kLowEnd) text = "low end of " + text;
      if (measure.part == QuantilePart::kHighEnd) text = "high end of " + text;
      text += " of " + words(measure.argument);
      break;
    case MeasureKind::kMode:
      text = "mode of " + words(measure.argument);
      break;
    case MeasureKind::kSumOfProducts:
      text = "sum of products of " + words(measure.argument) + " and " + words(measure.factor);
      break;
    case MeasureKind::kSumOfSquares:
      text = "sum of squares of " + words(measure.argument);
      break;
  }
  if (measure.centre != 0 || measure.factor_centre != 0) {
    text += ", centred at " + CentreText(measure.centre, measure.grid);
    if (measure.factor) text += " and " + CentreText(measure.factor_centre, measure.factor_grid);
  }
  if (measure.filter) text += " FILTER (WHERE " + words(measure.filter) + ")";
  return text;
}

// The largest epsilon, with 12 digits, whose exponential mechanism costs at most rho: rho =
// epsilon^2 / 8.
Epsilon ExponentialEpsilonDown(const Rho& rho) {
  const Rational up = SquareRootUp(Rational(8 * rho.value));
  Rational down = Rational(up * Rational(999'999'999'999, 1'000'000'000'000));
  TACIT_ASSERT(down * down <= 8 * rho.value);
  return Epsilon(down);
}

template <class Mechanism>
Result<noise::AnyMechanism> Any(Result<Mechanism> made) {
  TACIT_TRY(Mechanism mechanism, std::move(made));
  return noise::AnyMechanism(std::move(mechanism));
}

noise::IntervalEnd NoiseEnd(const analysis::ExactMeasure& measure) {
  if (measure.part == QuantilePart::kLowEnd) return noise::IntervalEnd::kLow;
  return measure.part == QuantilePart::kHighEnd ? noise::IntervalEnd::kHigh
                                                : noise::IntervalEnd::kNone;
}

// Which mechanism a measure has: a choice of cells where a value is wanted, else noise on a number.
Result<noise::AnyMechanism> MechanismFor(const analysis::ExactMeasure& measure,
                                         const Sensitivity& sensitivity, bool pure,
                                         const Share& share) {
  const auto choice = [&] { return pure ? share.epsilon : ExponentialEpsilonDown(share.rho); };
  if (measure.kind == MeasureKind::kQuantile) {
    return Any(noise::QuantileSelection::Make(
        {.quantile = measure.quantile,
         .rows_changed = sensitivity.l1,
         .epsilon = choice(),
         .points = static_cast<uint64_t>(analysis::PointsOf(measure)),
         .cell_points = static_cast<uint64_t>(measure.cell_steps),
         .extreme = measure.extreme,
         .end = NoiseEnd(measure)}));
  }
  if (measure.kind == MeasureKind::kMode) {
    return Any(noise::ModeSelection::Make({.values = measure.values.size(),
                                           .rows_changed = sensitivity.l1,
                                           .epsilon = choice(),
                                           .pure = pure}));
  }
  if (pure) {
    return Any(
        noise::DiscreteLaplace::Make({.sensitivity_l1 = sensitivity.l1, .epsilon = share.epsilon}));
  }
  return Any(noise::DiscreteGaussian::Make(
      {.sensitivity_l2_squared = Rational(sensitivity.l2_squared), .rho = share.rho}));
}

// Whether what a draw does to privacy, in the mechanism's own terms, is no more than is charged.
bool IsCovered(const accounting::Event& event, bool pure, const Share& share) {
  if (pure) {
    const std::optional<Epsilon> epsilon = accounting::PureEpsilon(event);
    return epsilon && epsilon->value <= share.epsilon.value;
  }
  const std::optional<accounting::ZcdpCost> cost = accounting::ZcdpCostOf(event);
  return cost && cost->rho.value <= share.rho.value && cost->delta.value == 0;
}

}  // namespace

Result<Measure> MakeMeasure(const analysis::ExactMeasure& measure, const analysis::Block& block,
                            const policy::Privacy& privacy, const Share& share,
                            const noise::AnyMechanism* drawn) {
  const bool pure = privacy.accounting == policy::Accounting::kPure;
  const Sensitivity sensitivity = SensitivityOf(measure, block, privacy);
  TACIT_TRY(noise::AnyMechanism mechanism, drawn != nullptr
                                               ? Result<noise::AnyMechanism>(*drawn)
                                               : MechanismFor(measure, sensitivity, pure, share));
  TACIT_ASSERT(IsCovered(mechanism->event(), pure, share));
  const Rational step = StepOf(measure);
  // The error of a choice is in rows, whatever a cell is worth.
  const Rational unit = mechanism->ReadsCells() ? Rational(1) : step;
  return Measure{.name = "",
                 .aggregate = AggregateName(measure),
                 .text = TextOf(measure, block),
                 .column = "",
                 .mechanism = mechanism,
                 .step = step,
                 .sensitivity_l1 = Rational(sensitivity.l1 * unit),
                 .scale = Rational(mechanism->ScaleUp() * unit),
                 .moe95 = Rational(mechanism->ErrorAt95() * unit),
                 .cost = {.epsilon = pure ? share.epsilon.value : Rational(0),
                          .delta = 0,
                          .rho = pure ? Rational(0) : share.rho.value}};
}

}  // namespace tacit::plan
