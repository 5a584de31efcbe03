#include "engine/statement/exact_aggregate.h"

#include <algorithm>

#include "plan/above/post_text.h"

// What is added up, and how: whole numbers, which have no order, over the clamped points of a grid.
// The clamp stands around every summand, whatever the analysis said of its range.
namespace tacit::engine::statement {
namespace {

using analysis::MeasureKind;

// As DuckDB's tacit_on_grid reads it: a quotient of two doubles, or one.
std::string QuotientOf(const Rational& value, const AggregateWords& words) {
  if (const auto digits = plan::LongDoubleText(value)) return words.Real(*digits);
  const std::string whole = words.Real(value.get_num().get_str());
  if (value.get_den() == 1) return whole;
  return "(" + whole + " / " + words.Real(value.get_den().get_str()) + ")";
}

std::string PrintWhole(const std::string& value, const policy::Grid& grid) {
  const std::string low = ToString(grid.low_steps);
  const std::string high = ToString(grid.high_steps);
  return "CAST(CASE WHEN " + value + " < " + low + " THEN " + low + " WHEN " + value + " > " +
         high + " THEN " + high + " ELSE " + value + " END AS bigint)";
}

// Half away from zero, exactly: a double's whole part and what is left of it are doubles too.
std::string Rounded(const std::string& number, const AggregateWords& words) {
  const std::string whole = words.Truncated(number);
  return "(" + whole + " + " + words.Truncated("(" + number + " - " + whole + ") * 2") + ")";
}

// NaN counts as the largest number. What is next to nothing is nothing before it is multiplied, so
// that the product can leave the doubles at neither end.
std::string PrintRounded(const std::string& value, const policy::Grid& grid,
                         const AggregateWords& words) {
  const Rational low_end = Rational(MakeRational(grid.low_steps) * grid.step);
  const Rational high_end = Rational(MakeRational(grid.high_steps) * grid.step);
  const Rational inverse = Rational(1 / grid.step);
  const double steps = ToDoubleDown(inverse);
  if (!(steps > 1e-100 && steps < 1e100))
    return words.Dialect().Missing("a step as far from 1 as this");
  const std::string low = ToString(grid.low_steps);
  const std::string high = ToString(grid.high_steps);
  const std::string whole = "CAST(" +
                            Rounded("(" + value + " * " + QuotientOf(inverse, words) + ")", words) +
                            " AS bigint)";
  return "CASE WHEN " + value + " <= " + QuotientOf(low_end, words) + " THEN " + low + " WHEN " +
         value + " < " + QuotientOf(high_end, words) + " THEN least(greatest(CASE WHEN " + value +
         " BETWEEN " + words.Real("-1e-200") + " AND " + words.Real("1e-200") + " THEN 0 ELSE " +
         whole + " END, " + low + "), " + high + ") WHEN " + value + " IS NOT NULL THEN " + high +
         " END";
}

std::string Moved(const std::string& point, Int128 centre, const AggregateWords& words) {
  if (centre == 0) return point;
  return "(" + words.Wide(point) + " - (" + ToString(centre) + "))";
}

std::string PrintCentred(const std::string& value, const sql::Type& type, const policy::Grid& grid,
                         Int128 centre, const AggregateWords& words) {
  const bool whole = type.IsInteger() && grid.step == 1;
  const std::string point =
      whole ? PrintWhole(value, grid)
            : PrintRounded(words.Dialect().Cast(value, type, kDoubleType), grid, words);
  return Moved(point, centre, words);
}

// The largest square that a summand can be: of what is as far from the centre as the grid goes.
Integer LargestOf(const policy::Grid& grid, Int128 centre) {
  const Integer middle(ToString(centre));
  const Integer below = middle - Integer(ToString(grid.low_steps));
  const Integer above = Integer(ToString(grid.high_steps)) - middle;
  return std::max(Integer(abs(below)), Integer(abs(above)));
}

std::string PrintOwnSum(const tree::Aggregate& aggregate, const std::string& tail,
                        const AggregateWords& words) {
  const std::string summand = words.Wide(PrintSummand(aggregate.argument, aggregate, words));
  const std::string left =
      "(" + words.WideNumber(*aggregate.measure.own_sum) + " - " + SumBefore(aggregate) + ")";
  return "coalesce(sum(CASE WHEN " + left + " <= 0 THEN " + words.WideNumber(0) + " WHEN " +
         summand + " > " + left + " THEN " + left + " WHEN " + summand + " < -" + left + " THEN -" +
         left + " ELSE " + summand + " END)" + tail + ", 0)";
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
                        const AggregateWords& words) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  if (measure.values.size() > words.CountsMax()) {
    return words.Dialect().Missing("mode() over more than " + std::to_string(words.CountsMax()) +
                                   " values");
  }
  if (!AreTold(measure)) return words.Dialect().Missing("mode() of " + PostgresName(measure.type));
  std::vector<std::string> counts;
  for (const policy::KeyValue& value : measure.values) {
    const std::string is = aggregate.argument + " = CAST(" + plan::KeyValueText(value) + " AS " +
                           words.Dialect().TypeName(measure.type) + ")";
    counts.push_back("count(*) FILTER (WHERE " + is +
                     (filter.empty() ? "" : " AND (" + filter + ")") + ")");
  }
  return words.Joined(counts);
}

// Which cell of a quantile's grid a row is in.
std::string PrintCell(const tree::Aggregate& aggregate, const AggregateWords& words) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string step = words.Wide(PrintSummand(aggregate.argument, aggregate, words)) + " - (" +
                           ToString(measure.grid.low_steps) + ")";
  return words.Divided(step, ToString(measure.cell_steps));
}

}  // namespace

std::string PrintSummand(const std::string& value, const tree::Aggregate& aggregate,
                         const AggregateWords& words) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string centred =
      aggregate.on_grid ? Moved(value, measure.centre, words)
                        : PrintCentred(value, measure.type, measure.grid, measure.centre, words);
  if (measure.kind != MeasureKind::kSumOfSquares) return centred;
  const Integer largest = LargestOf(measure.grid, measure.centre);
  if (!words.HasRoomFor(largest * largest)) {
    return words.Dialect().Missing("squares of numbers as large as these");
  }
  return words.Wide(centred) + " * " + words.Wide(centred);
}

// proof: plan/price/own_sum.md#claim
std::string PrintOwnSumBefore(const tree::Aggregate& aggregate, const std::string& order,
                              const AggregateWords& words) {
  const std::string size =
      "abs(" + words.Wide(PrintSummand(aggregate.argument, aggregate, words)) + ")";
  const std::string condition = FilterOf(aggregate);
  const std::string counted =
      condition.empty() ? size : "CASE WHEN " + condition + " THEN " + size + " END";
  return "coalesce(sum(" + counted + ") OVER (PARTITION BY u ORDER BY " + order +
         " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)";
}

std::string PrintAggregate(const tree::Aggregate& aggregate, tree::CountPeople people,
                           const AggregateWords& words) {
  const analysis::ExactMeasure& measure = aggregate.measure;
  const std::string& argument = aggregate.argument;
  const std::string condition = FilterOf(aggregate);
  const std::string tail = condition.empty() ? "" : " FILTER (WHERE " + condition + ")";
  const auto whole = [&](const std::string& count) { return words.Wide(count + tail); };
  const auto sum = [&](const std::string& summand) {
    return words.Wide("coalesce(" + words.Sum(summand) + tail + ", 0)");
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
      return words.FullCells(PrintCell(aggregate, words), tail);
    case MeasureKind::kMode:
      return PrintCounts(aggregate, condition, words);
    case MeasureKind::kSumOfProducts: {
      const Integer largest = LargestOf(measure.grid, measure.centre) *
                              LargestOf(measure.factor_grid, measure.factor_centre);
      if (!words.HasRoomFor(largest)) {
        return words.Dialect().Missing("products of numbers as large as these");
      }
      return sum(
          words.Wide(PrintCentred(argument, measure.type, measure.grid, measure.centre, words)) +
          " * " +
          words.Wide(PrintCentred(aggregate.factor, measure.factor_type, measure.factor_grid,
                                  measure.factor_centre, words)));
    }
    case MeasureKind::kSum:
      if (measure.own_sum) return PrintOwnSum(aggregate, tail, words);
      return sum(PrintSummand(argument, aggregate, words));
    case MeasureKind::kSumOfSquares:
      return sum(PrintSummand(argument, aggregate, words));
  }
  TACIT_ASSERT(false);
  return "";
}

std::string PrintPeople(tree::CountPeople people, const std::string& filter,
                        const AggregateWords& words) {
  const std::string passing = filter.empty() ? "" : " FILTER (WHERE " + filter + ")";
  return words.Wide((people == tree::CountPeople::kRows ? "count(*)" : "count(DISTINCT u)") +
                    passing);
}

std::string NothingAsText(const tree::Aggregate& aggregate) {
  if (!analysis::ReadsCells(aggregate.measure)) return "0";
  if (aggregate.measure.kind == analysis::MeasureKind::kQuantile) return "''";
  std::string zeros = "0";
  for (size_t i = 1; i < aggregate.measure.values.size(); ++i) zeros += ",0";
  return "'" + zeros + "'";
}

}  // namespace tacit::engine::statement
