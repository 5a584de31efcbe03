#include "base/mutant.h"
#include "engine/duckdb/functions/own_functions.h"
#include "engine/duckdb/statement/dialect.h"
#include "plan/above/post_text.h"

// What is added up, and how: exact integers of 128 bits, over the clamped points of a grid. The
// clamp stands around every summand, whatever the analysis said of its range.
namespace tacit::engine::duckdb {
namespace {

using analysis::MeasureKind;

// Integers on a grid of whole ones need no rounding. A CASE, because the engine knows its range: a
// function of ours would cost its sum the faster way.
std::string PrintWhole(const std::string& value, const policy::Grid& grid) {
  const std::string low = ToString(grid.low_steps);
  const std::string high = ToString(grid.high_steps);
  return "CASE WHEN " + value + " < " + low + " THEN " + low + " WHEN " + value + " > " + high +
         " THEN " + high + " ELSE " + value + " END";
}

// A number as tacit_on_grid reads it.
std::string Quotient(const Rational& value) {
  return plan::LongDoubleText(value).value_or(value.get_str());
}

// NaN counts as the largest number, as in PostgreSQL.
std::string PrintRounded(const std::string& value, const policy::Grid& grid) {
  const Rational low_end = Rational(MakeRational(grid.low_steps) * grid.step);
  const Rational high_end = Rational(MakeRational(grid.high_steps) * grid.step);
  const Rational inverse = Rational(1 / grid.step);
  return std::string(kOnGridFunction) + "(CAST(" + value + " AS DOUBLE), '" + Quotient(low_end) +
         " " + Quotient(high_end) + " " + Quotient(inverse) + " " + ToString(grid.low_steps) + " " +
         ToString(grid.high_steps) + "')";
}

std::string Centred(const std::string& number, Int128 centre) {
  return centre == 0 ? number : number + " - (" + ToString(centre) + ")";
}

std::string PrintCentred(const std::string& value, const sql::Type& type, const policy::Grid& grid,
                         Int128 centre) {
  const bool whole = type.IsInteger() && grid.step == 1;
  return Centred(
      whole ? "CAST(" + PrintWhole(value, grid) + " AS BIGINT)" : PrintRounded(value, grid),
      centre);
}

std::string PrintSum(const tree::Aggregate& aggregate, const std::string& tail) {
  // The centre is taken off all at once: less work than off every row.
  tree::Aggregate plain = aggregate;
  plain.measure.centre = 0;
  const Int128 centre = aggregate.measure.centre;
  const std::string sum = "CAST(coalesce(sum(" + PrintSummand(aggregate.argument, plain) + ")" +
                          tail + ", 0) AS HUGEINT)";
  if (centre == 0) return sum;
  return sum + " - CAST(" + ToString(centre) + " AS HUGEINT) * count(" + aggregate.argument + ")" +
         tail;
}

// Of each row what its unit's limit leaves of the summand. NULL adds nothing: it is told apart
// first, because least() would skip it.
// proof: plan/price/own_sum.md#claim
std::string PrintOwnSum(const tree::Aggregate& aggregate, const std::string& tail) {
  const std::string summand =
      "CAST(" + PrintSummand(aggregate.argument, aggregate) + " AS HUGEINT)";
  const std::string left = "(CAST(" + aggregate.measure.own_sum->get_str() + " AS HUGEINT) - " +
                           statement::SumBefore(aggregate) + ")";
  const std::string kept = "CASE WHEN " + left + " <= 0 THEN 0 WHEN " + summand + " > " + left +
                           " THEN " + left + " WHEN " + summand + " < -" + left + " THEN -" + left +
                           " ELSE " + summand + " END";
  return "CAST(coalesce(sum(" + (TACIT_MUTANT("own_sum_not_limited") ? summand : kept) + ")" +
         tail + ", 0) AS HUGEINT)";
}

// The product of both clamped and centred factors.
std::string PrintProduct(const tree::Aggregate& aggregate) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  return "(" + PrintCentred(aggregate.argument, measure.type, measure.grid, measure.centre) +
         ") * (" +
         PrintCentred(aggregate.factor, measure.factor_type, measure.factor_grid,
                      measure.factor_centre) +
         ")";
}

// How many rows have each of a mode's values, as a LIST.
std::string PrintCounts(const tree::Aggregate& aggregate, const std::string& tail) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string& value = aggregate.argument;
  // A value that is not on the list has position NULL or 0, which no place has.
  const std::string place =
      "list_position(" + plan::ModeValuesText(measure) + ", " + value + ") - 1";
  const std::string counts =
      "histogram(CASE WHEN " + value + " IS NOT NULL THEN " + place + " END)" + tail;
  return "list_transform(range(0, " + std::to_string(measure.values.size()) +
         "), lambda place: CAST(coalesce(" + counts + "[place], 0) AS UBIGINT))";
}

// The full cells of a quantile's grid. NULL stays NULL on its way to a cell.
std::string PrintFullCells(const tree::Aggregate& aggregate, const std::string& tail) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  // Beyond it the difference of two points may not fit.
  constexpr Int128 kWideSteps = Int128{1} << 62;
  const bool wide = measure.grid.high_steps - measure.grid.low_steps >= kWideSteps;
  std::string cell = PrintSummand(aggregate.argument, aggregate);
  if (wide) cell = "CAST(" + cell + " AS HUGEINT)";
  if (measure.grid.low_steps != 0) cell += " - (" + ToString(measure.grid.low_steps) + ")";
  if (measure.cell_steps != 1) cell = "(" + cell + ") // " + ToString(measure.cell_steps);
  return std::string(kFullCellsFunction) + "(CAST(" + cell + " AS BIGINT))" + tail;
}

}  // namespace

std::string PrintSummand(const std::string& value, const tree::Aggregate& aggregate) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string centred = aggregate.on_grid
                                  ? Centred(value, measure.centre)
                                  : PrintCentred(value, measure.type, measure.grid, measure.centre);
  if (measure.kind != MeasureKind::kSumOfSquares) return centred;
  return "(" + centred + ") * (" + centred + ")";
}

// proof: plan/price/own_sum.md#claim
std::string PrintOwnSumBefore(const tree::Aggregate& aggregate, const std::string& order) {
  const std::string size =
      "abs(CAST(" + PrintSummand(aggregate.argument, aggregate) + " AS HUGEINT))";
  const std::string condition = statement::FilterOf(aggregate);
  const std::string counted =
      condition.empty() ? size : "CASE WHEN " + condition + " THEN " + size + " END";
  return "CAST(coalesce(sum(" + counted + ") OVER (PARTITION BY u ORDER BY " + order +
         " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS HUGEINT)";
}

std::string PrintNoCells(const analysis::ExactMeasure& measure) {
  if (measure.kind == MeasureKind::kQuantile) return "CAST([] AS UBIGINT[])";
  return "list_transform(range(0, " + std::to_string(measure.values.size()) +
         "), lambda place: CAST(0 AS UBIGINT))";
}

std::string PrintPeople(tree::CountPeople people) {
  switch (people) {
    case tree::CountPeople::kRows:
      return "count(*)";
    case tree::CountPeople::kBySets:
      return "count(DISTINCT u)";
    case tree::CountPeople::kByNumbers:
      return std::string(kPeopleFunction) + "(u)";
  }
  TACIT_ASSERT(false);
  return "";
}

std::string PrintAggregate(const tree::Aggregate& aggregate, tree::CountPeople people) {
  const std::string& argument = aggregate.argument;
  const std::string condition = statement::FilterOf(aggregate);
  const std::string filter = condition.empty() ? "" : " FILTER (WHERE " + condition + ")";
  const auto whole = [&](const std::string& count) {
    return "CAST(" + count + filter + " AS HUGEINT)";
  };
  const auto sum = [&](const std::string& summand) {
    return "CAST(coalesce(sum(" + summand + ")" + filter + ", 0) AS HUGEINT)";
  };
  switch (aggregate.measure.kind) {
    case MeasureKind::kRows:
      return whole("count(*)");
    case MeasureKind::kValues:
      return whole("count(" + argument + ")");
    case MeasureKind::kDistinct:
      return whole("count(DISTINCT " + argument + ")");
    case MeasureKind::kUnits:
      return whole(PrintPeople(people));
    case MeasureKind::kQuantile:
      return PrintFullCells(aggregate, filter);
    case MeasureKind::kMode:
      return PrintCounts(aggregate, filter);
    case MeasureKind::kSumOfProducts:
      return sum(PrintProduct(aggregate));
    case MeasureKind::kSum:
      return aggregate.measure.own_sum ? PrintOwnSum(aggregate, filter)
                                       : PrintSum(aggregate, filter);
    case MeasureKind::kSumOfSquares:
      return sum(PrintSummand(argument, aggregate));
  }
  TACIT_ASSERT(false);
  return "";
}

}  // namespace tacit::engine::duckdb
