#include "policy/stored_types.h"

namespace tacit::policy {
namespace {

std::string StoredInstead(const std::string& engine_type) {
  if (engine_type.starts_with("TIMESTAMP_")) return "TIMESTAMP";
  if (engine_type.ends_with("HUGEINT")) return "DECIMAL(38,0)";
  return engine_type.starts_with("VARCHAR COLLATE") ? "VARCHAR COLLATE \"binary\"" : "VARCHAR";
}

Result<Done> CheckColumn(const Schema& schema, const std::string& table,
                         const std::string& column) {
  const SchemaColumn* found = schema.Find(table, column);
  if (found == nullptr || found->without_rule.empty()) return Done{};
  return UnruledColumn(*schema.Find(table), *found);
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
      if (column.bounds || column.span || column.keys) {
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

bool AreSameKeys(const ValueType& via, const ValueType& key) {
  return via == key || (via.IsInteger() && key.IsInteger());
}

Error OtherKeyType(const UnitHop& hop) {
  return InvalidArgument(hop.from_table + "." + hop.via + " leads to " + hop.to_table + "." +
                             hop.to_column + ", which is of another type",
                         "the owner has to store both columns as the same type");
}

Result<Done> CheckKeyTypes(const Policy& policy, const Schema& schema) {
  for (const Table& table : policy.tables) {
    if (table.is_public) continue;
    for (const UnitHop& hop : policy.PathOf(table).hops) {
      const SchemaColumn* via = schema.Find(hop.from_table, hop.via);
      const SchemaColumn* key = schema.Find(hop.to_table, hop.to_column);
      if (via != nullptr && key != nullptr && !AreSameKeys(via->type, key->type)) {
        return OtherKeyType(hop);
      }
    }
  }
  return Done{};
}

}  // namespace tacit::policy
