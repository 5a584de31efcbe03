#include "analysis/aggregates/choices/cells.h"
#include "analysis/aggregates/choices/instants.h"
#include "analysis/aggregates/moments/summand.h"
#include "analysis/aggregates/rules.h"
#include "analysis/rules.h"
#include "sql/print/canonical/canonical.h"

// percentile_cont and percentile_disc: one cell of the public grid is chosen by the exponential
// mechanism. See quantile.md.
namespace tacit::analysis {
namespace {

Error WrongFraction(const sql::AggregateCall& call, sql::Position position) {
  const std::string order =
      call.order_by.empty() ? "x" : sql::PrintCanonical(call.order_by[0].expression);
  return Refuse(rules::kWrongType, position, "the fraction must be a number from 0 to 1",
                "write " + call.name + "(0.5) WITHIN GROUP (ORDER BY " + order + ")");
}

// PostgreSQL has none of these between two dates.
Error BetweenInstants(const sql::AggregateCall& call, sql::Position position) {
  return Refuse(rules::kWrongType, position, "percentile_cont takes numbers, not dates and times",
                "write percentile_disc(" + sql::PrintCanonical(call.arguments[0]) +
                    ") WITHIN GROUP (ORDER BY " + sql::PrintCanonical(call.order_by[0].expression) +
                    ")");
}

}  // namespace

// proof: analysis/aggregates/choices/quantile.md#claim
Result<ReleasedColumn> ReleaseQuantile(GroupedQuery& grouped, const sql::AggregateCall& call,
                                       sql::Position position) {
  if (call.order_by.size() != 1 || call.arguments.size() != 1) return WrongFraction(call, position);
  const auto* literal = sql::As<sql::Literal>(call.arguments[0]);
  const bool number = literal != nullptr && (literal->kind == sql::LiteralKind::kInteger ||
                                             literal->kind == sql::LiteralKind::kNumeric);
  if (!number) return WrongFraction(call, position);
  const Result<Rational> fraction = ParseRational(literal->text);
  if (!fraction.ok() || *fraction < 0 || *fraction > 1) return WrongFraction(call, position);

  const Expression& written = call.order_by[0].expression;
  TACIT_TRY(std::optional<InstantChoice> instants, InstantsOf(grouped, call, written, position));
  ExactMeasure measure;
  if (instants) {
    if (call.name == "percentile_cont") return BetweenInstants(call, position);
    measure = std::move(instants->measure);
  } else {
    sql::AggregateCall ordered = call;
    ordered.arguments = {written};
    TACIT_TRY(measure, SummandOf(grouped, ordered, position));
  }
  measure.kind = MeasureKind::kQuantile;
  measure.quantile = call.order_by[0].descending ? Rational(1 - *fraction) : *fraction;
  CutIntoCells(measure);
  ReleasedColumn column;
  column.type = sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  if (call.name == "percentile_disc") column.type = instants ? instants->type : measure.type;
  column.value = QuantileColumn{AddMeasure(grouped, std::move(measure))};
  return column;
}

}  // namespace tacit::analysis
