#include "plan/duckdb/exact_sql.h"

namespace tacit::plan::duckdb {
namespace {

// Integers on a grid of whole ones need no rounding.
std::string PrintWhole(const std::string& value, const policy::Grid& grid) {
  const std::string low = ToString(grid.low_steps);
  const std::string high = ToString(grid.high_steps);
  return "CASE WHEN " + value + " < " + low + " THEN " + low + " WHEN " + value + " > " + high +
         " THEN " + high + " ELSE " + value + " END";
}

// NaN counts as the largest number, as in PostgreSQL. The grid's ends are tested before the
// conversion to an integer, so that it cannot overflow, and clamped again after it, so that the
// bound does not rest on floating-point rounding. least and greatest skip NULL: it goes first.
std::string PrintRounded(const std::string& value, const policy::Grid& grid) {
  const std::string low = ToString(grid.low_steps);
  const std::string high = ToString(grid.high_steps);
  const std::string number = "CAST(" + value + " AS DOUBLE)";
  const Rational low_end = Rational(MakeRational(grid.low_steps) * grid.step);
  const Rational high_end = Rational(MakeRational(grid.high_steps) * grid.step);
  const Rational inverse = Rational(1 / grid.step);
  return "CASE WHEN " + value + " IS NULL THEN NULL WHEN " + number + " <= " + DoubleText(low_end) +
         " THEN " + low + " WHEN " + number + " >= " + DoubleText(high_end) + " THEN " + high +
         " ELSE least(greatest(CAST(round(" + number + " * " + DoubleText(inverse) +
         ") AS BIGINT), " + low + "), " + high + ") END";
}

}  // namespace

std::string PrintSummand(const std::string& value, const analysis::Measure& measure) {
  const bool whole = measure.type.IsInteger() && measure.grid.step == 1;
  const std::string clamped =
      whole ? PrintWhole(value, measure.grid) : PrintRounded(value, measure.grid);
  const std::string number = "CAST(" + clamped + " AS BIGINT)";
  const std::string centred =
      measure.centre == 0 ? number : number + " - (" + ToString(measure.centre) + ")";
  if (measure.kind != analysis::MeasureKind::kSumOfSquares) return centred;
  return "(" + centred + ") * (" + centred + ")";
}

}  // namespace tacit::plan::duckdb
