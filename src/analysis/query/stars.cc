#include "analysis/query/stars.h"

namespace tacit::analysis {

std::vector<sql::SelectItem> ExpandStars(const sql::Select& select, const ProtectedRows& input) {
  std::vector<sql::SelectItem> items;
  for (const sql::SelectItem& item : select.items) {
    const auto* star = sql::As<sql::Star>(item.expression);
    if (star == nullptr) {
      items.push_back(item);
      continue;
    }
    for (const NamedColumn& column : input.columns) {
      if (column.merged || (!star->table.empty() && column.table != star->table)) continue;
      items.push_back({MakeExpression(sql::ColumnReference{column.table, column.name},
                                      item.expression->position),
                       column.name});
    }
  }
  return items;
}

}  // namespace tacit::analysis
