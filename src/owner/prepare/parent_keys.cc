#include "owner/prepare/parent_keys.h"

#include <algorithm>

#include "analysis/table_scan.h"
#include "owner/prepare/distinct_columns.h"
#include "owner/prepare/store_table.h"

namespace tacit::owner {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::QuoteName;

bool IsUnique(const policy::Schema& schema, const std::string& table, const std::string& column) {
  const policy::SchemaColumn* found = schema.Find(table, column);
  return found != nullptr && found->unique;
}

bool AnotherHas(const policy::Schema& schema, const policy::SchemaTable& table,
                const std::string& column) {
  return std::any_of(schema.tables.begin(), schema.tables.end(),
                     [&](const policy::SchemaTable& other) {
                       return other.name != table.name && other.Find(column) != nullptr;
                     });
}

}  // namespace

Result<bool> LeadsToTwo(const std::string& table, const std::string& column,
                        const std::string& next, Connection& connection) {
  const std::string name = QuoteName(column), read = QuoteName(next);
  engine::ResultTable row;
  const auto failure = connection.Query(
      {.sql = "SELECT count(*) > 0 FROM (SELECT 1 FROM " + QuoteName(table) + " WHERE " + name +
              " IS NOT NULL GROUP BY " + name + " HAVING min(" + read + ") <> max(" + read +
              ") OR count(" + read + ") NOT IN (0, count(*)) LIMIT 1)"},
      1, &row);
  if (failure) return CannotPrepare("table " + table, *failure);
  return row.rows.at(0).at(0) == engine::Value(true);
}

Result<Done> CheckParentKeys(const policy::Policy& policy, const policy::Schema& schema,
                             Connection& connection) {
  for (const policy::Table& table : policy.tables) {
    if (table.is_public) continue;
    const policy::UnitPath path = policy.PathOf(table);
    for (size_t i = 0; i < path.hops.size(); ++i) {
      const policy::UnitHop& hop = path.hops[i];
      if (!path.NeedsUniqueKey(i) || IsUnique(schema, hop.to_table, hop.to_column)) continue;
      TACIT_TRY(const bool twice,
                LeadsToTwo(hop.to_table, hop.to_column, path.ReadAt(i), connection));
      if (!twice) continue;
      return InvalidArgument(At(policy, table.unit_place) + ": " + hop.to_table + "." +
                                 hop.to_column + " is not unique, so a row of " + table.name +
                                 " would belong to several people",
                             "lead the path to a unique column: to: TABLE.COLUMN");
    }
  }
  return Done{};
}

Result<std::vector<std::string>> KeepKeysUnique(const policy::Schema& schema,
                                                Connection& connection) {
  std::vector<std::string> kept;
  for (const policy::SchemaTable& table : schema.tables) {
    policy::SchemaTable shared{.name = table.name, .columns = {}};
    for (const policy::SchemaColumn& column : table.columns) {
      if (!column.unique && AnotherHas(schema, table, column.name)) {
        shared.columns.push_back(column);
      }
    }
    TACIT_TRY(const std::vector<std::string> columns,
              FindDistinctColumns(shared, QuoteName(table.name), connection));
    for (const std::string& column : columns) {
      const policy::UnitHop hop{
          .from_table = "", .via = "", .to_table = table.name, .to_column = column};
      // Not every type can be indexed; prepare looks then.
      if (connection.Execute(analysis::UniqueIndexSql(hop))) continue;
      kept.push_back(table.name + "." + column);
    }
  }
  return kept;
}

}  // namespace tacit::owner
