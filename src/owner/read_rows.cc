#include "owner/read_rows.h"

#include "engine/duckdb/files/open_data.h"
#include "engine/duckdb/values/read_schema.h"

namespace tacit::owner {

using engine::duckdb::Connection;
using engine::duckdb::Database;

Result<ExactRows> ReadRows(const policy::Policy& policy, const std::string& table,
                           int64_t rows_max) {
  const auto* engine = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (engine == nullptr) {
    return InvalidArgument("rows can be read for the owner from DuckDB only",
                           "point the policy's engine at a DuckDB file with the same tables");
  }
  TACIT_TRY(const Database database,
            engine::duckdb::OpenData(engine::duckdb::SourceOf(*engine), {}));
  TACIT_TRY(Connection connection, database.Connect());
  TACIT_TRY(const policy::Schema schema, engine::duckdb::ReadSchema(connection));
  const policy::SchemaTable* stored = schema.Find(table);
  if (stored == nullptr || policy.Find(table) == nullptr) {
    return InvalidArgument("there is no table " + table + " in " + policy.file,
                           "name one that the policy lists and the database holds");
  }
  engine::ResultTable result;
  std::string columns;
  for (const policy::SchemaColumn& column : stored->columns) {
    columns += (columns.empty() ? "" : ", ") + engine::duckdb::QuoteName(column.name);
  }
  const std::string sql = "SELECT " + columns + " FROM " + engine::duckdb::QuoteName(stored->name) +
                          " LIMIT " + std::to_string(rows_max);
  if (const auto failure = connection.Query({.sql = sql}, rows_max, &result)) {
    return Error{.code = ErrorCode::kUnavailable,
                 .public_message = "the rows of " + table + " cannot be read",
                 .hint = "run tacit check",
                 .position = std::nullopt,
                 .private_detail = failure->text};
  }
  ExactRows rows{.columns = stored->columns, .cells = {}};
  rows.cells.reserve(result.rows.size());
  for (const std::vector<engine::Value>& row : result.rows) {
    std::vector<std::optional<std::string>> cells;
    cells.reserve(row.size());
    for (const engine::Value& value : row) {
      cells.push_back(engine::IsNull(value) ? std::nullopt : std::optional(engine::ToText(value)));
    }
    rows.cells.push_back(std::move(cells));
  }
  return rows;
}

}  // namespace tacit::owner
