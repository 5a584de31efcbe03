#include "engine/duckdb/catalog.h"

#include <algorithm>

#include "engine/duckdb/errors.h"

namespace tacit::engine::duckdb {
namespace {

// Why: far above any schema, and still a moment.
constexpr int64_t kTablesMax = 100'000;

Result<std::vector<policy::SchemaColumn>> ReadColumns(Connection& connection,
                                                      const std::string& table) {
  ResultTable none;
  const Connection::Statement statement{.sql =
                                            "SELECT * FROM main." + QuoteName(table) + " LIMIT 0"};
  if (const std::optional<Failure> failure = connection.Query(statement, 1, &none)) {
    return EngineUnavailable(failure->text);
  }
  std::vector<policy::SchemaColumn> columns;
  for (ResultColumn& column : none.columns) {
    columns.push_back(policy::SchemaColumn{std::move(column.name), column.type});
  }
  return columns;
}

}  // namespace

Result<policy::Schema> ReadSchema(Connection& connection) {
  ResultTable names;
  const Connection::Statement statement{
      .sql = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main' AND NOT internal"};
  if (const std::optional<Failure> failure = connection.Query(statement, kTablesMax, &names)) {
    return EngineUnavailable(failure->text);
  }
  std::sort(names.rows.begin(), names.rows.end());
  policy::Schema schema;
  for (const std::vector<Value>& row : names.rows) {
    const std::string& name = std::get<std::string>(row[0]);
    TACIT_TRY(std::vector<policy::SchemaColumn> columns, ReadColumns(connection, name));
    schema.tables.push_back(policy::SchemaTable{name, std::move(columns)});
  }
  return schema;
}

}  // namespace tacit::engine::duckdb
