#include <algorithm>

#include "engine/postgres/statement/dialect.h"
#include "plan/above/post_text.h"

// What is added up, and how: numerics, which have no end and no order, over the clamped points of a
// grid. The clamp stands around every summand, whatever the analysis said of its range.
namespace tacit::engine::postgres {
namespace {

using analysis::MeasureKind;

std::string Real(const std::string& digits) { return "CAST('" + digits + "' AS double precision)"; }

// As DuckDB's tacit_on_grid reads it: a quotient of two doubles, or one.
std::string QuotientOf(const Rational& value) {
  if (const auto digits = plan::LongDoubleText(value)) return Real(*digits);
  const std::string whole = Real(value.get_num().get_str());
  return value.get_den() == 1 ? whole : "(" + whole + " / " + Real(value.get_den().get_str()) + ")";
}

std::string PrintWhole(const std::string& value, const policy::Grid& grid) {
  const std::string low = ToString(grid.low_steps);
  const std::string high = ToString(grid.high_steps);
  return "CAST(CASE WHEN " + value + " < " + low + " THEN " + low + " WHEN " + value + " > " +
         high + " THEN " + high + " ELSE " + value + " END AS bigint)";
}

// Half away from zero, exactly: a double's whole part and what is left of it are doubles too.
std::string Rounded(const std::string& number) {
  return "(trunc(" + number + ") + trunc((" + number + " - trunc(" + number + ")) * 2))";
}

// NaN counts as the largest number. What is next to nothing is nothing before it is multiplied, so
// that the product can leave the doubles at neither end.
std::string PrintRounded(const std::string& value, const policy::Grid& grid,
                         const sql::PostgresDialect& words) {
  const Rational low_end = Rational(MakeRational(grid.low_steps) * grid.step);
  const Rational high_end = Rational(MakeRational(grid.high_steps) * grid.step);
  const Rational inverse = Rational(1 / grid.step);
  const double steps = ToDoubleDown(inverse);
  if (!(steps > 1e-100 && steps < 1e100)) return words.Missing("a step as far from 1 as this");
  const std::string low = ToString(grid.low_steps);
  const std::string high = ToString(grid.high_steps);
  const std::string whole =
      "CAST(" + Rounded("(" + value + " * " + QuotientOf(inverse) + ")") + " AS bigint)";
  return "CASE WHEN " + value + " <= " + QuotientOf(low_end) + " THEN " + low + " WHEN " + value +
         " < " + QuotientOf(high_end) + " THEN least(greatest(CASE WHEN " + value + " BETWEEN " +
         Real("-1e-200") + " AND " + Real("1e-200") + " THEN 0 ELSE " + whole + " END, " + low +
         "), " + high + ") WHEN " + value + " IS NOT NULL THEN " + high + " END";
}

std::string PrintCentred(const std::string& value, const sql::Type& type, const policy::Grid& grid,
                         Int128 centre, const sql::PostgresDialect& words) {
  const bool whole = type.IsInteger() && grid.step == 1;
  const std::string point = whole ? PrintWhole(value, grid)
                                  : PrintRounded(words.Cast(value, type, kDoubleType), grid, words);
  if (centre == 0) return point;
  return "(CAST(" + point + " AS numeric) - (" + ToString(centre) + "))";
}

std::string Squared(const std::string& number) {
  return "CAST(" + number + " AS numeric) * CAST(" + number + " AS numeric)";
}

std::string PrintOwnSum(const tree::Aggregate& aggregate, const std::string& tail,
                        const sql::PostgresDialect& words) {
  const std::string summand =
      "CAST(" + PrintSummand(aggregate.argument, aggregate, words) + " AS numeric)";
  const std::string left =
      "(" + aggregate.measure.own_sum->get_str() + " - " + statement::SumBefore(aggregate) + ")";
  return "coalesce(sum(CASE WHEN " + left + " <= 0 THEN 0 WHEN " + summand + " > " + left +
         " THEN " + left + " WHEN " + summand + " < -" + left + " THEN -" + left + " ELSE " +
         summand + " END)" + tail + ", 0)";
}

// Whether no two of a mode's values can be one: a row would be counted at both.
bool AreTold(const analysis::ExactMeasure& measure) {
  using Kind = policy::KeyValue::Kind;
  return std::all_of(measure.values.begin(), measure.values.end(), [&](const auto& value) {
    if (measure.type.kind == TypeKind::kText) return value.kind == Kind::kText;
    if (measure.type.kind == TypeKind::kBoolean) return value.kind == Kind::kBoolean;
    return measure.type.IsInteger() && value.kind == Kind::kNumber && value.number.get_den() == 1;
  });
}

// How many rows have each of a mode's values, between commas.
std::string PrintCounts(const tree::Aggregate& aggregate, const std::string& filter,
                        const sql::PostgresDialect& words) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  // Why 500: each is one more aggregate, and PostgreSQL's plans hold 1,664 of them.
  if (measure.values.size() > 500) return words.Missing("mode() over more than 500 values");
  if (!AreTold(measure)) return words.Missing("mode() of " + PostgresName(measure.type));
  std::string counts;
  for (const policy::KeyValue& value : measure.values) {
    const std::string is = aggregate.argument + " = CAST(" + plan::KeyValueText(value) + " AS " +
                           words.TypeName(measure.type) + ")";
    counts += (counts.empty() ? "" : ", ") + ("count(*) FILTER (WHERE " + is) +
              (filter.empty() ? "" : " AND (" + filter + ")") + ")";
  }
  return "array_to_string(ARRAY[" + counts + "], ',')";
}

// The cells of a quantile's grid that hold rows, in rising order, each with its number of rows
// behind it, between commas. The subquery is over the group's own rows, so that counts alone leave
// the server. NULL is in no cell.
std::string PrintFullCells(const tree::Aggregate& aggregate, const std::string& tail,
                           const sql::PostgresDialect& words) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string step = "CAST(" + PrintSummand(aggregate.argument, aggregate, words) +
                           " AS numeric) - (" + ToString(measure.grid.low_steps) + ")";
  const std::string cell =
      "CAST(div(" + step + ", " + ToString(measure.cell_steps) + ") AS bigint)";
  return "(SELECT coalesce(string_agg(cells.cell || ',' || cells.size, ',' ORDER BY cells.cell), "
         "'') FROM (SELECT one.cell, count(*) AS size FROM unnest(array_agg(" +
         cell + ")" + tail +
         ") AS one(cell) WHERE one.cell IS NOT NULL GROUP BY one.cell) AS cells)";
}

}  // namespace

std::string PrintSummand(const std::string& value, const tree::Aggregate& aggregate,
                         const sql::PostgresDialect& words) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string centred =
      PrintCentred(value, measure.type, measure.grid, measure.centre, words);
  return measure.kind == MeasureKind::kSumOfSquares ? Squared(centred) : centred;
}

// proof: plan/price/own_sum.md#claim
std::string PrintOwnSumBefore(const tree::Aggregate& aggregate, const std::string& order,
                              const sql::PostgresDialect& words) {
  const std::string size =
      "abs(CAST(" + PrintSummand(aggregate.argument, aggregate, words) + " AS numeric))";
  const std::string condition = statement::FilterOf(aggregate);
  const std::string counted =
      condition.empty() ? size : "CASE WHEN " + condition + " THEN " + size + " END";
  return "coalesce(sum(" + counted + ") OVER (PARTITION BY u ORDER BY " + order +
         " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)";
}

std::string PrintAggregate(const tree::Aggregate& aggregate, tree::CountPeople people,
                           const sql::PostgresDialect& words) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string& argument = aggregate.argument;
  const std::string condition = statement::FilterOf(aggregate);
  const std::string tail = condition.empty() ? "" : " FILTER (WHERE " + condition + ")";
  const auto whole = [&](const std::string& count) {
    return "CAST(" + count + tail + " AS numeric)";
  };
  const auto sum = [&](const std::string& summand) {
    return "CAST(coalesce(sum(" + summand + ")" + tail + ", 0) AS numeric)";
  };
  switch (measure.kind) {
    case MeasureKind::kRows:
      return whole("count(*)");
    case MeasureKind::kValues:
      return whole("count(" + argument + ")");
    case MeasureKind::kDistinct:
      return whole("count(DISTINCT " + argument + ")");
    case MeasureKind::kUnits:
      return whole(people == tree::CountPeople::kRows ? "count(*)" : "count(DISTINCT u)");
    case MeasureKind::kQuantile:
      return PrintFullCells(aggregate, tail, words);
    case MeasureKind::kMode:
      return PrintCounts(aggregate, condition, words);
    case MeasureKind::kSumOfProducts:
      return sum("CAST(" +
                 PrintCentred(argument, measure.type, measure.grid, measure.centre, words) +
                 " AS numeric) * CAST(" +
                 PrintCentred(aggregate.factor, measure.factor_type, measure.factor_grid,
                              measure.factor_centre, words) +
                 " AS numeric)");
    case MeasureKind::kSum:
      return measure.own_sum ? PrintOwnSum(aggregate, tail, words)
                             : sum(PrintSummand(argument, aggregate, words));
    case MeasureKind::kSumOfSquares:
      return sum(PrintSummand(argument, aggregate, words));
  }
  TACIT_ASSERT(false);
  return "";
}

}  // namespace tacit::engine::postgres
