#include "analysis/aggregates/rules.h"

// count(*), count(x) and count(DISTINCT unit). Sensitivities: see count.md.
namespace tacit::analysis {
namespace {

Result<ReleasedColumn> Counted(BlockBuilder& builder, Measure measure) {
  ReleasedColumn column;
  column.type = sql::Type{.kind = sql::TypeKind::kBigint, .precision = 0, .scale = 0};
  column.value = CountColumn{builder.AddMeasure(std::move(measure))};
  return column;
}

Result<ReleasedColumn> CountDistinct(BlockBuilder& builder, const sql::AggregateCall& call,
                                     sql::Position position) {
  TACIT_TRY(const Expression argument, builder.Argument(call.arguments[0], Use::kUnitCount));
  if (!builder.analyzer().NamesUnit(argument)) {
    return Refuse(rules::kAggregateWithoutRule, position,
                  "count(DISTINCT ...) has a rule for the privacy unit only",
                  "count the groups of a key release: SELECT count(*) FROM (SELECT DISTINCT k "
                  "FROM t) q");
  }
  Measure measure;
  measure.kind = MeasureKind::kUnits;
  TACIT_TRY(measure.filter, builder.Filter(call));
  return Counted(builder, std::move(measure));
}

}  // namespace

Result<ReleasedColumn> ReleaseCount(BlockBuilder& builder, const sql::AggregateCall& call,
                                    sql::Position position) {
  if (!call.star && call.arguments.size() != 1) {
    return Refuse(rules::kWrongType, position, "count takes one argument, or *", "count(*)");
  }
  if (call.distinct) return CountDistinct(builder, call, position);
  Measure measure;
  TACIT_TRY(measure.filter, builder.Filter(call));
  const auto* literal = call.star ? nullptr : sql::As<sql::Literal>(call.arguments[0]);
  const bool counts_rows =
      call.star || (literal != nullptr && literal->kind != sql::LiteralKind::kNull);
  if (counts_rows && builder.rows().public_preserved) {
    return Refuse(rules::kPublicRowsCounted, position,
                  "count(*) would count rows of the public table that belong to nobody",
                  "count a column of the protected table: count(t.column)");
  }
  if (counts_rows) {
    measure.kind = MeasureKind::kRows;
    return Counted(builder, std::move(measure));
  }
  measure.kind = MeasureKind::kValues;
  TACIT_TRY(measure.argument, builder.Argument(call.arguments[0]));
  TACIT_TRY(const Inferred inferred, builder.Infer(measure.argument, measure.filter));
  measure.type = inferred.type;
  return Counted(builder, std::move(measure));
}

}  // namespace tacit::analysis
