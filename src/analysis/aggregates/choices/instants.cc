#include "analysis/aggregates/choices/instants.h"

#include "analysis/rules.h"
#include "sql/functions/function.h"
#include "sql/print/canonical/canonical.h"

namespace tacit::analysis {
namespace {

constexpr char kFirstDay[] = "1970-01-01";

Error NoInstantBounds(const GroupedQuery& grouped, const sql::AggregateCall& call,
                      const Expression& written, const Expression& argument,
                      sql::Position position) {
  const std::string text = sql::PrintCanonical(written);
  const std::string bounded = "least(greatest(" + text + ", DATE '2000-01-01'), DATE '2029-12-31')";
  const std::string example = call.within_group
                                  ? call.name + "(" + sql::PrintCanonical(call.arguments[0]) +
                                        ") WITHIN GROUP (ORDER BY " + bounded + ")"
                                  : call.name + "(" + bounded + ")";
  const RowColumn* column = BareColumnOf(grouped, argument);
  const std::string owner = column == nullptr ? ""
                                              : "Ask the owner to declare bounds: [2000-01-01, "
                                                "2029-12-31] for " +
                                                    column->table + "." + column->column + ", or ";
  return Refuse(rules::kNoBounds, position, call.name + " of " + text + " has no bounds",
                owner + (owner.empty() ? "Bound it here: " : "bound it here: ") + example);
}

// Days of a date, seconds of a time: what the engine clamps, rounds and counts.
Expression SinceFirstDay(const Expression& argument, const sql::Type& type) {
  const auto literal = [&](sql::LiteralKind kind, const char* text) {
    return MakeExpression(sql::Literal{kind, text, {}}, argument->position);
  };
  if (type.kind == sql::TypeKind::kDate) {
    return MakeExpression(
        sql::Operator{"-", {argument, literal(sql::LiteralKind::kDate, kFirstDay)}},
        argument->position);
  }
  return MakeExpression(
      sql::Call{"extract", {literal(sql::LiteralKind::kString, "epoch"), argument}},
      argument->position);
}

}  // namespace

// proof: analysis/aggregates/choices/quantile.md#dates-and-times
Result<std::optional<InstantChoice>> InstantsOf(GroupedQuery& grouped,
                                                const sql::AggregateCall& call,
                                                const Expression& written, sql::Position position) {
  std::optional<InstantChoice> none;
  TACIT_TRY(const Expression argument, ArgumentOf(grouped, written));
  InstantChoice choice;
  TACIT_TRY(choice.measure.filter, FilterOf(grouped, call));
  TACIT_TRY(const Inferred inferred, InferArgument(grouped, argument, choice.measure.filter));
  if (!sql::IsInstant(inferred.type)) return none;
  choice.type = inferred.type;
  if (!inferred.range.IsBounded()) {
    return NoInstantBounds(grouped, call, written, argument, position);
  }
  choice.measure.argument = SinceFirstDay(argument, choice.type);
  TACIT_TRY(const Inferred number,
            InferArgument(grouped, choice.measure.argument, choice.measure.filter));
  choice.measure.type = number.type;
  const bool date = choice.type.kind == sql::TypeKind::kDate;
  const Rational unit = date ? 86'400 : 1;
  const policy::Bounds bounds{Rational(FloorOf(Rational(*inferred.range.low / unit))),
                              Rational(FloorOf(Rational(*inferred.range.high / unit)))};
  TACIT_TRY(choice.measure.grid, policy::MakeGrid(bounds, 1));
  return std::optional(std::move(choice));
}

}  // namespace tacit::analysis
