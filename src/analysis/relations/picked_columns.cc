#include "analysis/relations/picked_columns.h"

#include <algorithm>

#include "sql/walk.h"

namespace tacit::analysis {
namespace {

// GROUP BY all columns is DISTINCT in other words.
bool GroupsByItems(const sql::Select& select) {
  return !select.group_by.empty() && select.grouping_sets.empty() && !select.having &&
         std::all_of(select.items.begin(), select.items.end(), [&](const sql::SelectItem& item) {
           return std::find(select.group_by.begin(), select.group_by.end(), item.expression) !=
                  select.group_by.end();
         });
}

// The condition with the table's columns alone, unqualified; nothing where it names others.
std::optional<sql::Expression> OverTable(const sql::Expression& where, const std::string& own,
                                         const policy::SchemaTable& schema) {
  if (!where) return where;
  if (sql::HasSubquery(where) || sql::HasAggregate(where) || sql::HasWindow(where)) return {};
  bool others = false;
  sql::Expression named = sql::Transform(where, [&](const sql::Expression& node) {
    const auto* column = sql::As<sql::ColumnReference>(node);
    if (column == nullptr) return node;
    const policy::SchemaColumn* stored = schema.Find(column->column);
    others = others || stored == nullptr || (!column->table.empty() && column->table != own);
    if (others) return node;
    return sql::MakeExpression(sql::ColumnReference{"", stored->name}, node->position);
  });
  return others ? std::nullopt : std::optional(std::move(named));
}

}  // namespace

void FindPickedColumns(const Known& known, const sql::Query& written, const sql::Alias& alias,
                       PublicItem& item) {
  const auto* select = sql::As<sql::Select>(written);
  const auto* table = select != nullptr && select->from.size() == 1
                          ? sql::As<sql::TableReference>(select->from[0])
                          : nullptr;
  if (table == nullptr || !table->schema.empty() || !table->alias.columns.empty()) return;
  const policy::Table* stored = known.policy.Find(table->name);
  const policy::SchemaTable* schema =
      stored != nullptr && stored->is_public ? known.schema.Find(stored->name) : nullptr;
  const bool grouped = GroupsByItems(*select);
  const bool plain = written->with.empty() && !written->limit && !written->offset &&
                     select->distinct_on.empty() && !select->having && select->windows.empty() &&
                     (select->group_by.empty() || grouped);
  if (schema == nullptr || !plain || alias.columns.size() > select->items.size()) return;
  const std::string own = table->alias.name.empty() ? table->name : table->alias.name;
  const std::optional<sql::Expression> where = OverTable(select->where, own, *schema);
  if (!where) return;
  std::vector<std::pair<std::string, std::string>> picked;
  for (size_t i = 0; i < select->items.size(); ++i) {
    const auto* column = sql::As<sql::ColumnReference>(select->items[i].expression);
    if (column == nullptr || (!column->table.empty() && column->table != own)) return;
    const policy::SchemaColumn* found = schema->Find(column->column);
    if (found == nullptr) return;
    picked.emplace_back(found->name, i < alias.columns.size() ? alias.columns[i]
                                                              : sql::OutputName(select->items[i]));
  }
  item.stored = sql::TableReference{"", table->name, {alias.name, {}}};
  item.picked = std::move(picked);
  item.distinct = select->distinct || grouped;
  item.where = *where;
}

}  // namespace tacit::analysis
