#include "sql/print/expand_stars.h"

namespace tacit::sql {

Result<std::vector<SelectItem>> ExpandStars(const Select& select, const Scope& scope) {
  std::vector<SelectItem> items;
  for (const SelectItem& item : select.items) {
    const auto* star = As<Star>(item.expression);
    if (star == nullptr) {
      items.push_back(item);
      continue;
    }
    const size_t before = items.size();
    for (const ScopeColumn& column : scope.columns) {
      if (star->table.empty() ? column.merged : column.table != star->table) continue;
      const std::string table = column.shared && star->table.empty() ? "" : column.table;
      items.push_back(
          {MakeExpression(ColumnReference{table, column.column.name}, item.expression->position),
           column.column.name});
    }
    if (items.size() == before) {
      const int offset = item.expression->position.offset;
      return Error{.code = ErrorCode::kInvalidQuery,
                   .public_message =
                       "there is no table for " + (star->table.empty() ? "*" : star->table + ".*"),
                   .hint = "",
                   .position = offset >= 0 ? std::optional<int>(offset) : std::nullopt,
                   .private_detail = ""};
    }
  }
  return items;
}

}  // namespace tacit::sql
