#include "policy/unruled_units.h"

namespace tacit::policy {
namespace {

std::string StoredInstead(const std::string& engine_type) {
  if (engine_type.starts_with("TIMESTAMP_")) return "TIMESTAMP";
  return engine_type.starts_with("VARCHAR") ? "VARCHAR COLLATE \"binary\"" : "DECIMAL(38,0)";
}

Result<Done> CheckColumn(const Schema& schema, const std::string& table,
                         const std::string& column) {
  const SchemaTable* stored = schema.Find(table);
  const SchemaColumn* found = stored == nullptr ? nullptr : stored->Find(column);
  if (found == nullptr || found->without_rule.empty()) return Done{};
  return UnruledColumn(*stored, *found);
}

}  // namespace

Error UnruledColumn(const SchemaTable& table, const SchemaColumn& column) {
  return InvalidArgument("the column " + table.name + "." + column.name + " is a " +
                             column.without_rule + ", which has no rules",
                         "store it as another type: ALTER TABLE " + table.name + " ALTER " +
                             column.name + " TYPE " + StoredInstead(column.without_rule));
}

Result<Done> CheckUnruledColumns(const Policy& policy, const Schema& schema) {
  for (const Table& table : policy.tables) {
    if (const auto* unit = std::get_if<UnitIsColumn>(&table.unit)) {
      TACIT_CHECK(CheckColumn(schema, table.name, unit->column));
    }
    if (const auto* reached = std::get_if<UnitIsReached>(&table.unit)) {
      TACIT_CHECK(CheckColumn(schema, table.name, reached->via));
      TACIT_CHECK(CheckColumn(schema, reached->to_table, reached->to_column));
    }
    for (const Column& column : table.columns) {
      if (column.bounds || column.keys) {
        TACIT_CHECK(CheckColumn(schema, table.name, column.name));
      }
      if (!column.keys) continue;
      if (const auto* source = std::get_if<KeysOfTable>(&*column.keys)) {
        TACIT_CHECK(CheckColumn(schema, source->table, source->column));
      }
    }
  }
  return Done{};
}

}  // namespace tacit::policy
