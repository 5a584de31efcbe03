#include "analysis/expressions/columns.h"

#include <algorithm>

#include "base/assert.h"
#include "sql/walk.h"

namespace tacit::analysis {

const sql::ColumnReference* BareColumn(const Expression& expression) {
  return sql::As<sql::ColumnReference>(expression);
}

const RowColumn& ColumnOf(const Known& known, const sql::ColumnReference& reference) {
  const auto found = known.columns.find(std::pair(reference.table, reference.column));
  TACIT_ASSERT(found != known.columns.end());
  return found->second;
}

bool NamesUnit(const Known& known, const Expression& expression) {
  const auto* reference = BareColumn(expression);
  return reference != nullptr && !IsConstant(*reference) &&
         ColumnOf(known, *reference).equals_unit && !known.nullable.contains(reference->table);
}

bool IsNeverNull(const Known& known, const Expression& expression) {
  const auto* reference = BareColumn(expression);
  return reference != nullptr && !IsConstant(*reference) &&
         ColumnOf(known, *reference).never_null && !known.nullable.contains(reference->table);
}

bool UsesHidden(const Known& known, const Expression& expression) {
  const std::vector<sql::ColumnReference> columns = sql::ColumnsIn(expression);
  return std::any_of(columns.begin(), columns.end(), [&](const sql::ColumnReference& column) {
    return !IsConstant(column) && ColumnOf(known, column).hidden;
  });
}

bool UsesUnit(const Known& known, const Expression& expression) {
  const std::vector<sql::ColumnReference> columns = sql::ColumnsIn(expression);
  return std::any_of(columns.begin(), columns.end(), [&](const sql::ColumnReference& column) {
    return !IsConstant(column) && ColumnOf(known, column).is_unit;
  });
}

}  // namespace tacit::analysis
