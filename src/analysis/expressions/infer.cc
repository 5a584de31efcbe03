#include "analysis/analyzer.h"
#include "analysis/expressions/narrow.h"
#include "sql/bind.h"
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

}  // namespace

Result<sql::Bound> Analyzer::BindOverRows(const Expression& expression) const {
  sql::Scope scope;
  for (const sql::ColumnReference& reference : sql::ColumnsIn(expression)) {
    if (scope.Find(reference, {}).ok()) continue;
    sql::Type type;
    if (IsConstant(reference)) {
      type = constants_.at(std::stoul(reference.column.substr(1)) - 1).type;
    } else {
      type = ColumnOf(reference).type;
      if (type.kind == sql::TypeKind::kOpaque && BareColumn(expression) == nullptr) {
        return OpaqueColumn(ColumnOf(reference), expression->position);
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

Result<Inferred> Analyzer::Infer(const Expression& expression,
                                 const std::vector<Expression>& filters) const {
  TACIT_TRY(const sql::Bound bound, BindOverRows(expression));
  NarrowedRanges narrowed;
  for (const Expression& filter : filters) {
    TACIT_TRY(const sql::Bound condition, BindOverRows(filter));
    narrowed.Narrow(condition);
  }
  const auto column_range = [&](const sql::BoundColumn& column) {
    if (column.table == kConstantTable) return sql::Range{};
    return narrowed.RangeOf(column, ColumnOf({column.table, column.column}).range);
  };
  return Inferred{.type = bound->type, .range = sql::RangeOf(bound, column_range)};
}

}  // namespace tacit::analysis
