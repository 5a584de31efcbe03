#include "plan/tree/make.h"

// Expressions below the frontier, with their types: of the columns that measures read, each once.
namespace tacit::plan::tree {

using analysis::ExactMeasure;
using analysis::MeasureKind;

Binder::Binder(const Names& names) {
  for (const KnownColumn& column : names.columns) {
    scope_.columns.push_back({.table = column.name.table,
                              .column = {column.name.column, column.type},
                              .merged = false,
                              .shared = false});
  }
  for (size_t i = 0; i < names.constants.size(); ++i) {
    scope_.columns.push_back({.table = analysis::kConstantTable,
                              .column = {"v" + std::to_string(i + 1), names.constants[i]},
                              .merged = false,
                              .shared = false});
  }
}

Result<Typed> Binder::Type(const Expression& expression) const {
  TACIT_TRY(sql::Bound bound, sql::Bind(expression, scope_));
  return Typed{.expression = expression, .bound = std::move(bound)};
}

namespace {

// Why 16: a summand is seldom deeper, and every level is bound once more.
constexpr int kLevelsMax = 16;

// Whole numbers stay what they are, so that an overflow is NULL as before.
Expression InDoubles(const Expression& number, const sql::Scope& scope, int levels) {
  const Result<sql::Bound> bound = sql::Bind(number, scope);
  if (!bound.ok()) return number;  // binding the whole will say why
  const sql::TypeKind kind = (*bound)->type.kind;
  const bool descends =
      levels > 0 && (kind == sql::TypeKind::kNumeric || kind == sql::TypeKind::kDouble);
  const auto* call = sql::As<sql::Operator>(number);
  const auto* choice = sql::As<sql::Case>(number);
  if (descends && call != nullptr &&
      (call->symbol == "+" || call->symbol == "-" || call->symbol == "*")) {
    sql::Operator changed = *call;
    for (Expression& part : changed.arguments) part = InDoubles(part, scope, levels - 1);
    return sql::MakeExpression(std::move(changed), number->position);
  }
  if (descends && choice != nullptr) {
    sql::Case changed = *choice;
    for (sql::CaseBranch& branch : changed.branches) {
      branch.then = InDoubles(branch.then, scope, levels - 1);
    }
    if (changed.otherwise) changed.otherwise = InDoubles(changed.otherwise, scope, levels - 1);
    return sql::MakeExpression(std::move(changed), number->position);
  }
  if (kind == sql::TypeKind::kDouble) return number;
  const sql::Type real{.kind = sql::TypeKind::kDouble, .precision = 0, .scale = 0};
  return sql::MakeExpression(sql::Cast{number, real}, number->position);
}

bool IsFraction(const sql::Type& type) {
  return type.kind == sql::TypeKind::kNumeric || type.kind == sql::TypeKind::kDouble;
}

bool IsPutOnGrid(const ExactMeasure& measure) {
  return measure.kind == MeasureKind::kSum || measure.kind == MeasureKind::kSumOfSquares ||
         measure.kind == MeasureKind::kSumOfProducts;
}

// Whether all measures that share the argument put it on a grid or count it.
bool MayBeInDoubles(const std::vector<ExactMeasure>& measures, const ExactMeasure& asked) {
  for (const ExactMeasure& other : measures) {
    if (!(other.argument == asked.argument) || other.kind == MeasureKind::kValues) continue;
    if (!IsPutOnGrid(other) || !IsFraction(other.type)) return false;
  }
  return IsFraction(asked.type) && !sql::As<sql::ColumnReference>(asked.argument);
}

// The first measure with the same expression in this place, whose column serves both: what several
// measures are made of is computed once.
size_t FirstWith(const std::vector<ExactMeasure>& measures, size_t i,
                 Expression ExactMeasure::*part) {
  for (size_t j = 0; j < i; ++j) {
    if (measures[j].*part == measures[i].*part) return j;
  }
  return i;
}

}  // namespace

Result<Typed> Binder::TypeInDoubles(const Expression& number) const {
  TACIT_TRY(sql::Bound bound, sql::Bind(InDoubles(number, scope_, kLevelsMax), scope_));
  return Typed{.expression = number, .bound = std::move(bound)};
}

Result<Asked> Ask(std::vector<ExactMeasure> measures, const Binder& binder) {
  Asked asked;
  for (size_t i = 0; i < measures.size(); ++i) {
    Aggregate aggregate{.name = "m" + std::to_string(i + 1),
                        .measure = measures[i],
                        .argument = "",
                        .factor = "",
                        .filter = "",
                        .on_grid = false};
    const auto read = [&](Expression ExactMeasure::*part, const char* letter, const sql::Type& type,
                          Form form, std::string& named) -> Result<Done> {
      const Expression& expression = measures[i].*part;
      if (!expression) return Done{};
      const size_t first = FirstWith(measures, i, part);
      named = letter + std::to_string(first + 1);
      if (first != i) return Done{};
      ProjectedColumn column{.name = named, .form = form, .type = type, .value = {}};
      TACIT_TRY(column.value, form == Form::kInDoubles ? binder.TypeInDoubles(expression)
                                                       : binder.Type(expression));
      asked.columns.push_back(std::move(column));
      return Done{};
    };
    const ExactMeasure& measure = measures[i];
    const Form form = MayBeInDoubles(measures, measure) ? Form::kInDoubles : Form::kValue;
    TACIT_CHECK(read(&ExactMeasure::argument, "a", measure.type, form, aggregate.argument));
    TACIT_CHECK(
        read(&ExactMeasure::factor, "b", measure.factor_type, Form::kValue, aggregate.factor));
    TACIT_CHECK(read(&ExactMeasure::filter, "f", sql::Type{}, Form::kValue, aggregate.filter));
    asked.aggregates.push_back(std::move(aggregate));
  }
  return asked;
}

}  // namespace tacit::plan::tree
