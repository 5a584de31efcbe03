#include "analysis/aggregates/rules.h"
#include "analysis/expressions/columns.h"
#include "analysis/query/environment.h"
#include "analysis/rules.h"
#include "sql/print/quote.h"

// count(*), count(x) and count(DISTINCT x). Sensitivities: see count.md.
namespace tacit::analysis {
namespace {

Result<ReleasedColumn> Counted(GroupedQuery& grouped, ExactMeasure measure) {
  ReleasedColumn column;
  column.type = sql::Type{.kind = sql::TypeKind::kBigint, .precision = 0, .scale = 0};
  column.value = CountColumn{AddMeasure(grouped, std::move(measure))};
  return column;
}

// Of the unit: people. Of anything else: its values, NULL not counted.
// proof: analysis/aggregates/count.md#claim
Result<ReleasedColumn> CountDistinct(GroupedQuery& grouped, const sql::AggregateCall& call,
                                     sql::Position position) {
  ExactMeasure measure;
  TACIT_TRY(const Expression argument, ArgumentOf(grouped, call.arguments[0], Use::kUnitCount));
  TACIT_TRY(measure.filter, FilterOf(grouped, call));
  if (NamesUnit(grouped.known, argument)) {
    measure.kind = MeasureKind::kUnits;
    return Counted(grouped, std::move(measure));
  }
  measure.kind = MeasureKind::kDistinct;
  TACIT_TRY(const Inferred inferred, InferArgument(grouped, argument, measure.filter));
  if (inferred.type.kind == sql::TypeKind::kOpaque) {
    return Refuse(rules::kTypeWithoutRule, position,
                  "the column has a type whose values cannot be compared here", "write count(*)");
  }
  measure.argument = argument;
  measure.type = inferred.type;
  return Counted(grouped, std::move(measure));
}

// A column that only rows of people have, as the query names it.
std::string ProtectedColumnOf(const GroupedQuery& grouped) {
  for (const NamedColumn& named : grouped.input.columns) {
    const auto* reference = sql::As<sql::ColumnReference>(named.expression);
    if (reference == nullptr || IsConstant(*reference) || named.merged) continue;
    const RowColumn& column = ColumnOf(grouped.known, *reference);
    const policy::Table* table = grouped.known.policy.Find(column.table);
    if (table == nullptr || table->is_public || column.hidden || column.is_unit) continue;
    const std::string name = sql::QuoteIdentifierIfNeeded(named.name);
    return named.table.empty() ? name : sql::QuoteIdentifierIfNeeded(named.table) + "." + name;
  }
  return "t.column";
}

}  // namespace

// proof: analysis/aggregates/count.md#claim
ExactMeasure CountOfValues(const GroupedQuery& grouped, const Expression& argument,
                           const sql::Type& type, const Expression& filter) {
  ExactMeasure count;
  count.filter = filter;
  if (!grouped.block.rows.public_preserved && IsNeverNull(grouped.known, argument)) {
    count.kind = MeasureKind::kRows;
    return count;
  }
  count.kind = MeasureKind::kValues;
  count.argument = argument;
  count.type = type;
  return count;
}

// proof: analysis/aggregates/count.md#claim
Result<ReleasedColumn> ReleaseCount(GroupedQuery& grouped, const sql::AggregateCall& call,
                                    sql::Position position) {
  if (!call.star && call.arguments.size() != 1) {
    return Refuse(rules::kWrongType, position, "count takes one argument, or *", "count(*)");
  }
  if (call.distinct) return CountDistinct(grouped, call, position);
  ExactMeasure measure;
  TACIT_TRY(measure.filter, FilterOf(grouped, call));
  const auto* literal = call.star ? nullptr : sql::As<sql::Literal>(call.arguments[0]);
  const bool counts_rows =
      call.star || (literal != nullptr && literal->kind != sql::LiteralKind::kNull);
  if (counts_rows && grouped.block.rows.public_preserved) {
    return Refuse(
        rules::kPublicRowsCounted, position,
        "count(*) would count rows of the public table that belong to nobody",
        "count a column of the protected table: write count(" + ProtectedColumnOf(grouped) + ")");
  }
  if (counts_rows) {
    measure.kind = MeasureKind::kRows;
    return Counted(grouped, std::move(measure));
  }
  TACIT_TRY(const Expression argument, ArgumentOf(grouped, call.arguments[0]));
  TACIT_TRY(const Inferred inferred, InferArgument(grouped, argument, measure.filter));
  return Counted(grouped, CountOfValues(grouped, argument, inferred.type, measure.filter));
}

}  // namespace tacit::analysis
