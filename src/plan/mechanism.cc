#include "plan/mechanism.h"

#include "sql/print/canonical.h"

namespace tacit::plan {
namespace {

using analysis::MeasureKind;

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
    default:
      return 1;
  }
}

std::string CentreText(Int128 centre, const policy::Grid& grid) {
  return ToString(Rational(MakeRational(centre) * grid.step));
}

std::string TextOf(const analysis::ExactMeasure& measure) {
  std::string text;
  switch (measure.kind) {
    case MeasureKind::kRows:
      text = "count(*)";
      break;
    case MeasureKind::kValues:
      text = "count(" + sql::PrintCanonical(measure.argument) + ")";
      break;
    case MeasureKind::kUnits:
      text = "count(DISTINCT unit)";
      break;
    case MeasureKind::kSum:
      text = "sum(" + sql::PrintCanonical(measure.argument) + ")";
      break;
    case MeasureKind::kDistinct:
      text = "count(DISTINCT " + sql::PrintCanonical(measure.argument) + ")";
      break;
    case MeasureKind::kQuantile:
      text = measure.extreme ? AggregateName(measure) : "quantile " + ToString(measure.quantile);
      text += " of " + sql::PrintCanonical(measure.argument);
      break;
    case MeasureKind::kMode:
      text = "mode of " + sql::PrintCanonical(measure.argument);
      break;
    case MeasureKind::kSumOfProducts:
      text = "sum of products of " + sql::PrintCanonical(measure.argument) + " and " +
             sql::PrintCanonical(measure.factor);
      break;
    case MeasureKind::kSumOfSquares:
      text = "sum of squares of " + sql::PrintCanonical(measure.argument);
      break;
  }
  if (measure.centre != 0 || measure.factor_centre != 0) {
    text += ", centred at " + CentreText(measure.centre, measure.grid);
    if (measure.factor) text += " and " + CentreText(measure.factor_centre, measure.factor_grid);
  }
  if (measure.filter) text += " FILTER (WHERE " + sql::PrintCanonical(measure.filter) + ")";
  return text;
}

}  // namespace

Rational SquareRootUp(const Rational& value) {
  TACIT_ASSERT(value >= 0);
  // root(v) = root(v * 10^(2d)) / 10^d, with d so large that 12 digits stand before the point.
  Integer power = 1;
  while (Rational(value * power * power) < Rational(Integer("1000000000000000000000000")) &&
         mpz_sizeinbase(power.get_mpz_t(), 10) < 64) {
    power *= 10;
  }
  const Integer scaled = CeilOf(Rational(value * power * power));
  Integer root = sqrt(scaled);
  if (root * root < scaled) ++root;
  return Rational(root) / Rational(power);
}

std::string MechanismName(const ColumnMechanism& mechanism) {
  if (std::holds_alternative<noise::DiscreteLaplace>(mechanism)) return "discrete_laplace";
  if (std::holds_alternative<noise::DiscreteGaussian>(mechanism)) return "discrete_gaussian";
  return "exponential_mechanism";
}

namespace {

// The largest epsilon, with 12 digits, whose exponential mechanism costs at most rho: rho =
// epsilon^2 / 8.
Epsilon ExponentialEpsilonDown(const Rho& rho) {
  const Rational up = SquareRootUp(Rational(8 * rho.value));
  Rational down = Rational(up * Rational(999'999'999'999, 1'000'000'000'000));
  TACIT_ASSERT(down * down <= 8 * rho.value);
  return Epsilon(down);
}

std::vector<uint64_t> CellWidths(const analysis::ExactMeasure& measure) {
  std::vector<uint64_t> widths;
  Int128 left = measure.grid.high_steps - measure.grid.low_steps + 1;
  for (; left > 0; left -= measure.cell_steps) {
    widths.push_back(static_cast<uint64_t>(left < measure.cell_steps ? left : measure.cell_steps));
  }
  return widths;
}

Result<Measure> MakeQuantile(const analysis::ExactMeasure& measure, const Integer& rows_changed,
                             const policy::Privacy& privacy, const Share& share) {
  const bool pure = privacy.accounting == policy::Accounting::kPure;
  const Epsilon epsilon = pure ? share.epsilon : ExponentialEpsilonDown(share.rho);
  TACIT_TRY(noise::QuantileSelection selection,
            noise::QuantileSelection::Make({.quantile = measure.quantile,
                                            .rows_changed = rows_changed,
                                            .epsilon = epsilon,
                                            .widths = CellWidths(measure),
                                            .extreme = measure.extreme}));
  const Rational error = Rational(selection.RankErrorAt95());
  return Measure{.name = "",
                 .aggregate = AggregateName(measure),
                 .text = TextOf(measure),
                 .column = "",
                 .mechanism = std::move(selection),
                 .step = Rational(measure.grid.step * MakeRational(measure.cell_steps)),
                 .sensitivity_l1 = Rational(rows_changed),
                 .scale = Rational(2 * rows_changed / epsilon.value),
                 .moe95 = error,
                 .cost = {.epsilon = pure ? epsilon.value : Rational(0),
                          .delta = 0,
                          .rho = pure ? Rational(0) : share.rho.value}};
}

// The same by counts of public values.
Result<Measure> MakeMode(const analysis::ExactMeasure& measure, const Integer& rows_changed,
                         const policy::Privacy& privacy, const Share& share) {
  const bool pure = privacy.accounting == policy::Accounting::kPure;
  const Epsilon epsilon = pure ? share.epsilon : ExponentialEpsilonDown(share.rho);
  TACIT_TRY(
      noise::ModeSelection selection,
      noise::ModeSelection::Make(
          {.values = measure.values.size(), .rows_changed = rows_changed, .epsilon = epsilon}));
  const Rational error = Rational(selection.CountErrorAt95());
  return Measure{.name = "",
                 .aggregate = AggregateName(measure),
                 .text = TextOf(measure),
                 .column = "",
                 .mechanism = std::move(selection),
                 .step = 1,
                 .sensitivity_l1 = Rational(rows_changed),
                 .scale = Rational(2 * rows_changed / epsilon.value),
                 .moe95 = error,
                 .cost = {.epsilon = pure ? epsilon.value : Rational(0),
                          .delta = 0,
                          .rho = pure ? Rational(0) : share.rho.value}};
}

}  // namespace

Result<Measure> MakeMeasure(const analysis::ExactMeasure& measure, const analysis::Block& block,
                            const policy::Privacy& privacy, const Share& share) {
  if (measure.kind == analysis::MeasureKind::kQuantile) {
    return MakeQuantile(measure, SensitivityOf(measure, block, privacy).l1, privacy, share);
  }
  if (measure.kind == analysis::MeasureKind::kMode) {
    return MakeMode(measure, SensitivityOf(measure, block, privacy).l1, privacy, share);
  }
  const Sensitivity sensitivity = SensitivityOf(measure, block, privacy);
  const Rational step = StepOf(measure);
  const auto make = [&](ColumnMechanism mechanism, const Rational& scale, const Integer& error,
                        const Cost& cost) {
    return Measure{.name = "",
                   .aggregate = AggregateName(measure),
                   .text = TextOf(measure),
                   .column = "",
                   .mechanism = std::move(mechanism),
                   .step = step,
                   .sensitivity_l1 = Rational(sensitivity.l1 * step),
                   .scale = Rational(scale * step),
                   .moe95 = Rational(error * step),
                   .cost = cost};
  };
  if (privacy.accounting == policy::Accounting::kPure) {
    TACIT_TRY(
        noise::DiscreteLaplace laplace,
        noise::DiscreteLaplace::Make({.sensitivity_l1 = sensitivity.l1, .epsilon = share.epsilon}));
    const Rational scale = laplace.scale();
    const Integer error = laplace.ErrorAt95();
    return make(std::move(laplace), scale, error,
                {.epsilon = share.epsilon.value, .delta = 0, .rho = 0});
  }
  TACIT_TRY(noise::DiscreteGaussian gaussian,
            noise::DiscreteGaussian::Make(
                {.sensitivity_l2_squared = Rational(sensitivity.l2_squared), .rho = share.rho}));
  const Rational sigma = SquareRootUp(gaussian.sigma_squared());
  const Integer error = gaussian.ErrorAt95();
  return make(std::move(gaussian), sigma, error,
              {.epsilon = 0, .delta = 0, .rho = share.rho.value});
}

}  // namespace tacit::plan
