#include "engine/duckdb/values/read_schema.h"

#include <algorithm>

#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/files/file_views.h"
#include "engine/duckdb/values/unruled_types.h"

namespace tacit::engine::duckdb {
namespace {

// Why: far above any schema, and still a moment.
constexpr int64_t kTablesMax = 100'000;
constexpr int64_t kColumnsMax = 10'000'000;

// How duckdb_indexes() writes the expressions of an index on this column alone.
bool IsIndexOf(const std::string& expressions, const std::string& column) {
  return expressions == "[" + column + "]" || expressions == "['" + QuoteName(column) + "']";
}

// Marks the columns that have a unique index or a constraint of their own.
Result<Done> ReadUniqueColumns(Connection& connection, policy::Schema& schema) {
  ResultTable indexes;
  const Connection::Statement statement{
      .sql =
          "SELECT table_name, expressions FROM duckdb_indexes() WHERE schema_name = 'main' AND "
          "database_name = current_database() AND is_unique UNION ALL SELECT table_name, '[' || "
          "constraint_column_names[1] || ']' FROM duckdb_constraints() WHERE schema_name = 'main' "
          "AND database_name = current_database() AND constraint_type IN ('PRIMARY KEY', "
          "'UNIQUE') AND len(constraint_column_names) = 1"};
  if (const std::optional<Failure> failure = connection.Query(statement, kTablesMax, &indexes)) {
    return EngineUnavailable(failure->text);
  }
  for (const std::vector<Value>& row : indexes.rows) {
    for (policy::SchemaTable& table : schema.tables) {
      if (table.name != ToText(row[0])) continue;
      for (policy::SchemaColumn& column : table.columns) {
        column.unique = column.unique || IsIndexOf(ToText(row[1]), column.name);
      }
    }
  }
  return Done{};
}

Result<Done> ReadNotNullColumns(Connection& connection, policy::Schema& schema) {
  ResultTable columns;
  const Connection::Statement statement{
      .sql =
          "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'main' AND "
          "database_name = current_database() AND NOT internal AND NOT is_nullable"};
  if (const std::optional<Failure> failure = connection.Query(statement, kColumnsMax, &columns)) {
    return EngineUnavailable(failure->text);
  }
  for (const std::vector<Value>& row : columns.rows) {
    for (policy::SchemaTable& table : schema.tables) {
      if (table.name != ToText(row[0])) continue;
      for (policy::SchemaColumn& column : table.columns) {
        if (column.name == ToText(row[1])) column.not_null = true;
      }
    }
  }
  return Done{};
}

Result<std::vector<policy::SchemaColumn>> ReadColumns(Connection& connection,
                                                      const std::string& table, bool is_view) {
  ResultTable none;
  const Connection::Statement statement{.sql =
                                            "SELECT * FROM main." + QuoteName(table) + " LIMIT 0"};
  if (const std::optional<Failure> failure = connection.Query(statement, 1, &none)) {
    return EngineUnavailable(failure->text);
  }
  std::vector<policy::SchemaColumn> columns;
  for (ResultColumn& column : none.columns) {
    if (is_view && column.name == kViewRowId) continue;
    columns.push_back(policy::SchemaColumn{std::move(column.name), column.type, false});
  }
  return columns;
}

}  // namespace

Result<policy::Schema> ReadSchema(Connection& connection) {
  ResultTable names;
  // A database without a file has no views but those of files (files/file_views.h).
  const Connection::Statement statement{
      .sql =
          "SELECT table_name, false FROM duckdb_tables() WHERE schema_name = 'main' AND NOT "
          "internal AND database_name = current_database() UNION ALL SELECT v.view_name, true "
          "FROM duckdb_views() v JOIN duckdb_databases() d ON v.database_oid = d.database_oid "
          "WHERE d.path IS NULL AND v.schema_name = 'main' AND NOT v.internal AND "
          "v.database_name = current_database()"};
  if (const std::optional<Failure> failure = connection.Query(statement, kTablesMax, &names)) {
    return EngineUnavailable(failure->text);
  }
  std::vector<std::pair<std::string, bool>> sorted;
  for (const std::vector<Value>& row : names.rows) {
    sorted.emplace_back(ToText(row[0]), row[1] == Value(true));
  }
  std::sort(sorted.begin(), sorted.end());
  policy::Schema schema;
  for (const auto& [name, is_view] : sorted) {
    TACIT_TRY(std::vector<policy::SchemaColumn> columns, ReadColumns(connection, name, is_view));
    schema.tables.push_back(policy::SchemaTable{name, std::move(columns)});
  }
  TACIT_CHECK(ReadUniqueColumns(connection, schema));
  TACIT_CHECK(ReadNotNullColumns(connection, schema));
  TACIT_CHECK(MarkUnruledTypes(connection, schema));
  return schema;
}

}  // namespace tacit::engine::duckdb
