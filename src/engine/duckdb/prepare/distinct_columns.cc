#include "engine/duckdb/prepare/distinct_columns.h"

namespace tacit::engine::duckdb {
namespace {

constexpr char kMark[] = "tacit: no value stands twice";
constexpr int64_t kMarkedColumnsMax = 100'000;

}  // namespace

std::string MarkDistinctSql(const std::string& table, const std::string& column) {
  return "COMMENT ON COLUMN " + table + "." + column + " IS " + QuoteLiteral(kMark);
}

std::set<StoredColumn> ReadDistinctColumns(Connection& connection) {
  ResultTable marked;
  const Connection::Statement statement{
      .sql =
          "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'main' AND "
          "database_name = current_database() AND comment = " +
          QuoteLiteral(kMark),
      .select_only = true};
  std::set<StoredColumn> columns;
  if (connection.Query(statement, kMarkedColumnsMax, &marked)) return columns;
  for (const std::vector<Value>& row : marked.rows) {
    columns.insert({.table = ToText(row[0]), .column = ToText(row[1])});
  }
  return columns;
}

}  // namespace tacit::engine::duckdb
