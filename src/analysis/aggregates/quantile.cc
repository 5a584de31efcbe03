#include "analysis/aggregates/rules.h"

// percentile_cont and percentile_disc: one cell of the public grid is chosen by the exponential
// mechanism. See quantile.md.
namespace tacit::analysis {
namespace {

// Why 1024: a thousandth of the range is finer than the noise of most quantiles, and a list of so
// many counts for each group is still small.
constexpr Int128 kCellsMax = 1024;

Error WrongFraction(sql::Position position) {
  return Refuse(rules::kWrongType, position, "the fraction must be a number from 0 to 1",
                "percentile_cont(0.5) WITHIN GROUP (ORDER BY age)");
}

}  // namespace

void CutIntoCells(Measure& measure) {
  const Int128 points = measure.grid.high_steps - measure.grid.low_steps + 1;
  measure.cell_steps = (points + kCellsMax - 1) / kCellsMax;
}

Result<ReleasedColumn> ReleaseQuantile(BlockBuilder& builder, const sql::AggregateCall& call,
                                       sql::Position position) {
  if (call.order_by.size() != 1 || call.arguments.size() != 1) return WrongFraction(position);
  const auto* literal = sql::As<sql::Literal>(call.arguments[0]);
  const bool number = literal != nullptr && (literal->kind == sql::LiteralKind::kInteger ||
                                             literal->kind == sql::LiteralKind::kNumeric);
  if (!number) return WrongFraction(position);
  const Result<Rational> fraction = ParseRational(literal->text);
  if (!fraction.ok() || *fraction < 0 || *fraction > 1) return WrongFraction(position);

  sql::AggregateCall ordered = call;
  ordered.arguments = {call.order_by[0].expression};
  TACIT_TRY(Measure measure, SummandOf(builder, ordered, position));
  measure.kind = MeasureKind::kQuantile;
  measure.quantile = call.order_by[0].descending ? Rational(1 - *fraction) : *fraction;
  CutIntoCells(measure);
  ReleasedColumn column;
  column.type = sql::Type{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  if (call.name == "percentile_disc") column.type = measure.type;
  column.value = QuantileColumn{builder.AddMeasure(std::move(measure))};
  return column;
}

}  // namespace tacit::analysis
