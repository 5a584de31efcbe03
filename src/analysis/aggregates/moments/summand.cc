#include "analysis/aggregates/moments/summand.h"

#include "analysis/expressions/columns.h"
#include "analysis/rules.h"
#include "sql/print/canonical/canonical.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

std::string Upper(std::string name) {
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

// The aggregate as it was written with another argument, to be pasted in its place.
std::string WithArgument(const sql::AggregateCall& call, const WrittenSummand& written,
                         const std::string& argument) {
  if (call.within_group) return call.name + "(0.5) WITHIN GROUP (ORDER BY " + argument + ")";
  const sql::AggregateCall& whole = written.whole != nullptr ? *written.whole : call;
  std::string arguments;
  for (size_t i = 0; i < whole.arguments.size(); ++i) {
    arguments += (i == 0 ? "" : ", ") +
                 (i == written.place ? argument : sql::PrintCanonical(whole.arguments[i]));
  }
  return call.name + "(" + arguments + ")";
}

// What somebody may have meant who asks for the average of what is no number.
std::string NumberInstead(const sql::AggregateCall& call, const WrittenSummand& written,
                          const sql::Type& type) {
  const std::string argument = sql::PrintCanonical(call.arguments[0]);
  if (type.kind == sql::TypeKind::kBoolean) {
    return WithArgument(call, written, "CASE WHEN " + argument + " THEN 1 ELSE 0 END");
  }
  if (type.kind == sql::TypeKind::kDate || type.kind == sql::TypeKind::kTimestamp) {
    return WithArgument(call, written, "extract(year FROM " + argument + ")");
  }
  const std::string count = "count(DISTINCT " + argument + ")";
  if (type.kind != sql::TypeKind::kText) return count;
  const std::string number = "least(greatest(CAST(" + argument + " AS numeric), 0), 100)";
  return count + "; or, where its texts are numbers, " + WithArgument(call, written, number);
}

Error NoBounds(const GroupedQuery& grouped, const sql::AggregateCall& call,
               const WrittenSummand& whole, const Expression& argument, sql::Position position) {
  const std::string written = sql::PrintCanonical(call.arguments[0]);
  const RowColumn* column = BareColumnOf(grouped, argument);
  const std::string owner = column == nullptr
                                ? ""
                                : "Ask the owner to declare bounds for " + column->table + "." +
                                      column->column + ", or bound it here: ";
  const std::string quantity = call.name == "avg"   ? "average"
                               : call.name == "sum" ? "sum"
                                                    : "value";
  const std::string bounded = "least(greatest(" + written + ", 0), 100)";
  const std::string example = WithArgument(call, whole, bounded);
  return Refuse(rules::kNoBounds, position, Upper(call.name) + "(" + written + ") has no bounds",
                "one person could change this " + quantity + " by any amount. " +
                    (owner.empty() ? "Bound it here: " : owner) + example + ".");
}

// Operations that give one of their operands back keep the operand's grid.
bool KeepsGrid(const Expression& node) {
  if (sql::As<sql::Literal>(node) || sql::As<sql::ColumnReference>(node)) return true;
  const auto* call = sql::As<sql::Call>(node);
  const bool chooses = call != nullptr && (call->name == "least" || call->name == "greatest" ||
                                           call->name == "coalesce");
  if (!chooses) return false;
  for (const Expression& argument : call->arguments) {
    if (!KeepsGrid(argument)) return false;
  }
  return true;
}

Rational StepOf(const GroupedQuery& grouped, const Expression& argument, const Inferred& inferred) {
  const policy::Bounds bounds{*inferred.range.low, *inferred.range.high};
  const std::vector<sql::ColumnReference> columns = sql::ColumnsIn(argument);
  if (columns.size() == 1 && !IsConstant(columns[0]) && KeepsGrid(argument)) {
    const RowColumn& column = ColumnOf(grouped.known, columns[0]);
    if (column.step) return *column.step;
  }
  return policy::DefaultStep(bounds, inferred.type.IsInteger());
}

// Why 2^30: squares of so many steps fit 2^62 with room for the sign.
constexpr Int128 kStepsMax = Int128{1} << 30;

}  // namespace

// proof: analysis/aggregates/moments/variance.md#claim
Result<Done> CoarsenForSquares(policy::Grid& grid) {
  while (grid.high_steps - grid.low_steps > kStepsMax) {
    const policy::Bounds bounds{Rational(MakeRational(grid.low_steps) * grid.step),
                                Rational(MakeRational(grid.high_steps) * grid.step)};
    TACIT_TRY(grid, policy::MakeGrid(bounds, Rational(grid.step * 10)));
  }
  return Done{};
}

void Centre(ExactMeasure& sum) { sum.centre = (sum.grid.low_steps + sum.grid.high_steps) / 2; }

ExactMeasure CountOfSummands(const GroupedQuery& grouped, const ExactMeasure& sum) {
  return CountOfValues(grouped, sum.argument, sum.type, sum.filter);
}

// proof: analysis/aggregates/moments/sum.md#claim
Result<ExactMeasure> SummandOf(GroupedQuery& grouped, const sql::AggregateCall& call,
                               sql::Position position, const WrittenSummand& written) {
  if (call.star || call.arguments.size() != 1) {
    return Refuse(rules::kWrongType, position, call.name + " takes one argument", "sum(x)");
  }
  if (call.distinct) {
    return Refuse(rules::kAggregateWithoutRule, position,
                  call.name + "(DISTINCT ...) has no rule over protected rows",
                  "leave DISTINCT out, or sum the keys of a key release");
  }
  ExactMeasure measure;
  measure.kind = MeasureKind::kSum;
  TACIT_TRY(measure.argument, ArgumentOf(grouped, call.arguments[0]));
  TACIT_TRY(measure.filter, FilterOf(grouped, call));
  TACIT_TRY(Inferred inferred, InferArgument(grouped, measure.argument, measure.filter));
  if (inferred.type.kind == sql::TypeKind::kBoolean) {
    // true is 1 and false is 0: the average of a condition is how often it holds.
    measure.argument = MakeExpression(
        sql::Cast{measure.argument, {.kind = sql::TypeKind::kInteger, .precision = 0, .scale = 0}},
        measure.argument->position);
    TACIT_TRY(inferred, InferArgument(grouped, measure.argument, measure.filter));
  }
  measure.type = inferred.type;
  if (!inferred.type.IsNumber()) {
    return Refuse(rules::kWrongType, position,
                  call.name + " takes numbers, not " + sql::ToString(inferred.type),
                  "write " + NumberInstead(call, written, inferred.type));
  }
  if (!inferred.range.IsBounded()) {
    return NoBounds(grouped, call, written, measure.argument, position);
  }
  const policy::Bounds bounds{*inferred.range.low, *inferred.range.high};
  Result<policy::Grid> grid = policy::MakeGrid(bounds, StepOf(grouped, measure.argument, inferred));
  if (!grid.ok()) {
    return Refuse(
        rules::kGridTooFine, position,
        "the range of " + sql::PrintCanonical(call.arguments[0]) +
            " is too wide to be summed exactly",
        "bound it: " + WithArgument(call, written,
                                    "least(greatest(" + sql::PrintCanonical(call.arguments[0]) +
                                        ", 0), 1000000)"));
  }
  measure.grid = *grid;
  return measure;
}

}  // namespace tacit::analysis
