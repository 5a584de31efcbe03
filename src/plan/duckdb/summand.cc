#include "plan/duckdb/exact_sql.h"
#include "plan/duckdb/functions.h"

namespace tacit::plan::duckdb {
namespace {

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
  return LongDoubleText(value).value_or(value.get_str());
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

}  // namespace

std::string PrintSummand(const std::string& value, const analysis::Measure& measure) {
  const std::string centred = measure.on_grid
                                  ? Centred(value, measure.centre)
                                  : PrintCentred(value, measure.type, measure.grid, measure.centre);
  if (measure.kind != analysis::MeasureKind::kSumOfSquares) return centred;
  return "(" + centred + ") * (" + centred + ")";
}

std::string PrintSum(const std::string& value, const analysis::Measure& measure,
                     const std::string& tail) {
  analysis::Measure plain = measure;
  plain.centre = 0;
  const std::string sum =
      "CAST(coalesce(sum(" + PrintSummand(value, plain) + ")" + tail + ", 0) AS HUGEINT)";
  if (measure.centre == 0) return sum;
  return sum + " - CAST(" + ToString(measure.centre) + " AS HUGEINT) * count(" + value + ")" + tail;
}

std::string PrintProduct(const std::string& value, const std::string& factor,
                         const analysis::Measure& measure) {
  return "(" + PrintCentred(value, measure.type, measure.grid, measure.centre) + ") * (" +
         PrintCentred(factor, measure.factor_type, measure.factor_grid, measure.factor_centre) +
         ")";
}

int64_t CellsOf(const analysis::Measure& measure) {
  if (measure.kind == analysis::MeasureKind::kMode) {
    return static_cast<int64_t>(measure.values.size());
  }
  const Int128 points = measure.grid.high_steps - measure.grid.low_steps + 1;
  return static_cast<int64_t>((points + measure.cell_steps - 1) / measure.cell_steps);
}

std::string PrintCells(const std::string& value, const analysis::Measure& measure,
                       const std::string& tail) {
  const bool mode = measure.kind == analysis::MeasureKind::kMode;
  // A value that is not on the list has position NULL or 0, which no cell has.
  const std::string cell =
      mode ? "list_position(" + PrintModeValues(measure) + ", " + value + ") - 1"
           : "(" + PrintSummand(value, measure) + " - (" + ToString(measure.grid.low_steps) +
                 ")) // " + ToString(measure.cell_steps);
  const std::string counts =
      "histogram(CASE WHEN " + value + " IS NOT NULL THEN " + cell + " END)" + tail;
  return "list_transform(range(0, " + std::to_string(CellsOf(measure)) +
         "), lambda cell: CAST(coalesce(" + counts + "[cell], 0) AS UBIGINT))";
}

std::string PrintNoCells(const analysis::Measure& measure) {
  return "list_transform(range(0, " + std::to_string(CellsOf(measure)) +
         "), lambda cell: CAST(0 AS UBIGINT))";
}

}  // namespace tacit::plan::duckdb
