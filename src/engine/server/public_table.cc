#include "engine/server/public_table.h"

#include <algorithm>

namespace tacit::engine::server {
namespace {

ValueType TypeOf(const plan::PublicTable& table, const Catalog& catalog, size_t column,
                 const GivenColumn& given) {
  if (const auto* read = std::get_if<plan::tree::PublicColumns>(&table.rows)) {
    const CatalogTable* stored = catalog.Find(read->table);
    const CatalogColumn* one =
        stored != nullptr ? stored->Find(read->columns[column].first) : nullptr;
    if (one != nullptr && one->seen.type.kind != TypeKind::kOpaque) return one->seen.type;
  }
  if (const auto* keys = std::get_if<plan::tree::AllKeys>(&table.rows)) {
    return keys->keys->keys[column].type;
  }
  return given.type;
}

}  // namespace

std::vector<ResultColumn> PublicColumnsOf(const plan::PublicTable& table, const Catalog& catalog,
                                          const std::vector<GivenColumn>& given) {
  const auto* read = std::get_if<plan::tree::PublicColumns>(&table.rows);
  std::vector<ResultColumn> columns;
  for (size_t i = 0; i < given.size(); ++i) {
    columns.push_back({read != nullptr ? read->columns[i].second : given[i].name,
                       TypeOf(table, catalog, i, given[i])});
  }
  return columns;
}

void SetPublicRows(const plan::PublicTable& table, std::vector<std::vector<Value>> rows,
                   ResultTable& result) {
  if (std::holds_alternative<plan::tree::AllKeys>(table.rows)) std::sort(rows.begin(), rows.end());
  for (const std::vector<Value>& row : rows) result.rows.push_back(row);
}

Error PublicUnreadable(const std::string& why) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "a public table cannot be read from the database",
               .hint = "the owner finds more with `tacit check`",
               .position = std::nullopt,
               .private_detail = why};
}

}  // namespace tacit::engine::server
