#include "analysis/expressions/infer.h"

#include "analysis/expressions/columns.h"
#include "analysis/expressions/narrow.h"
#include "analysis/rules.h"
#include "analysis/texts/hidden_names.h"
#include "sql/bind/session_zone.h"
#include "sql/constants/compared.h"
#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// Binding speaks of types and functions; here its errors get the name of a rule.
Error WithRuleName(Error error) {
  if (error.rule.empty()) {
    error.rule = error.code == ErrorCode::kUnsupported ? rules::kFunctionWithoutRule.name
                                                       : rules::kWrongType.name;
  }
  return error;
}

Result<sql::Bound> BindAsWritten(const Known& known, const Expression& expression) {
  sql::Scope scope;
  for (const sql::ColumnReference& reference : sql::ColumnsIn(expression)) {
    if (scope.Find(reference, {}).ok()) continue;
    sql::Type type;
    if (IsConstant(reference)) {
      type = known.constants.at(std::stoul(reference.column.substr(1)) - 1).type;
    } else {
      type = ColumnOf(known, reference).type;
      if (type.kind == sql::TypeKind::kOpaque && BareColumn(expression) == nullptr) {
        return OpaqueColumn(known, ColumnOf(known, reference), expression->position);
      }
    }
    scope.columns.push_back({.table = reference.table,
                             .column = {reference.column, type},
                             .merged = false,
                             .shared = false});
  }
  Result<sql::Bound> bound = sql::Bind(expression, scope);
  if (!bound.ok()) return WithRuleName(std::move(bound).error());
  return bound;
}

}  // namespace

Result<sql::Bound> BindOverRows(const Known& known, const Expression& expression) {
  TACIT_TRY(sql::Bound bound, BindAsWritten(known, expression));
  const Result<Done> zone = sql::CheckZone(bound, known.zone);
  if (!zone.ok()) return WithRuleName(zone.error());
  return bound;
}

Expression WithOneSpelling(const Known& known, const Expression& expression) {
  const auto type_of = [&](const Expression& operand) -> std::optional<sql::Type> {
    for (const sql::ColumnReference& column : sql::ColumnsIn(operand)) {
      const bool of_rows = known.columns.contains(std::pair(column.table, column.column));
      if (!of_rows && !IsConstant(column)) return std::nullopt;
    }
    const Result<sql::Bound> bound = BindAsWritten(known, operand);
    return bound.ok() ? std::optional((*bound)->type) : std::nullopt;
  };
  return sql::ReadInZone(sql::WithComparedConstants(expression, type_of), type_of, known.zone);
}

Result<Inferred> Infer(const Known& known, const Expression& expression,
                       const std::vector<Expression>& filters) {
  TACIT_TRY(const sql::Bound bound, BindOverRows(known, expression));
  NarrowedRanges narrowed;
  for (const Expression& filter : filters) {
    TACIT_TRY(const sql::Bound condition, BindOverRows(known, filter));
    narrowed.Narrow(condition);
  }
  const auto column_range = [&](const sql::BoundColumn& column) {
    if (column.table == kConstantTable) return sql::Range{};
    return narrowed.RangeOf(column, ColumnOf(known, {column.table, column.column}).range);
  };
  const sql::NarrowBy narrow = [](const sql::Bound& condition, const sql::ColumnRange& outside) {
    NarrowedRanges inside;
    inside.Narrow(condition);
    return [inside, outside](const sql::BoundColumn& column) {
      return inside.RangeOf(column, outside(column));
    };
  };
  return Inferred{.type = bound->type, .range = sql::RangeOf(bound, column_range, narrow)};
}

}  // namespace tacit::analysis
