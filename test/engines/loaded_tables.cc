#include "loaded_tables.h"

#include <cstdio>
#include <cstdlib>

#include "engine/duckdb/database/database.h"
#include "sql/print/quote.h"

namespace tacit::golden {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::Database;

// Also for programs that are no tests of googletest's.
void Must(bool is_true, const std::string& what) {
  if (is_true) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

std::string TypeIn(const policy::SchemaColumn& column) {
  // Holds a text as it is and is no text: compared without the blanks behind it.
  if (column.type.kind == TypeKind::kOpaque) return "character(3000)";
  return PostgresName(column.type);
}

std::string CreateTable(const policy::SchemaTable& table) {
  std::string columns;
  for (const policy::SchemaColumn& column : table.columns) {
    columns += (columns.empty() ? "" : ", ") + sql::QuoteIdentifier(column.name) + " " +
               TypeIn(column) + (column.not_null ? " NOT NULL" : "") +
               (column.unique ? " UNIQUE" : "");
  }
  return "CREATE TABLE " + sql::QuoteIdentifier(table.name) + " (" + columns + ");";
}

// DuckDB writes a year before the first with its mark in brackets, where PostgreSQL has it last.
std::string ValueText(std::string text, const ValueType& type) {
  const size_t mark = text.find(" (BC)");
  if (mark != std::string::npos && type.kind != TypeKind::kText) {
    text = text.erase(mark, 5) + " BC";
  }
  return sql::QuoteString(text);
}

std::string InsertRows(Connection& connection, const policy::SchemaTable& table) {
  std::string texts;
  for (const policy::SchemaColumn& column : table.columns) {
    texts += (texts.empty() ? "" : ", ") + ("CAST(" + sql::QuoteIdentifier(column.name)) +
             " AS VARCHAR)";
  }
  engine::ResultTable rows;
  const std::string from = sql::QuoteIdentifier(table.name);
  const auto failure =
      connection.Query({.sql = "SELECT " + texts + " FROM " + from}, 1'000'000, &rows);
  Must(!failure, failure ? failure->text : "");
  std::string script;
  size_t count = 0;
  for (const std::vector<engine::Value>& row : rows.rows) {
    script += count++ % 500 == 0 ? (count == 1 ? "" : ";") + ("INSERT INTO " + from) + " VALUES ("
                                 : ", (";
    for (size_t i = 0; i < row.size(); ++i) {
      script += i == 0 ? "" : ", ";
      script += engine::IsNull(row[i])
                    ? "NULL"
                    : ValueText(std::get<std::string>(row[i]), table.columns[i].type);
    }
    script += ")";
  }
  return script + ";";
}

}  // namespace

std::optional<policy::PostgresSettings> TestServer(const std::string& schema) {
  const char* host = std::getenv("PGHOST");
  if (host == nullptr) return std::nullopt;
  return policy::PostgresSettings{.dsn = std::string("host=") + host + " port=" +
                                         std::getenv("PGPORT") + " dbname=clinic user=tacit",
                                  .password = "",
                                  .schema = schema};
}

void RunAsOwner(const std::string& sql) {
  Result<engine::postgres::Connection> opened =
      engine::postgres::Connection::Open(TestServer("public").value(), {});
  Must(opened.ok(), opened.ok() ? "" : opened.error().private_detail);
  engine::postgres::Connection connection = std::move(opened).value();
  Must(!connection.Execute("SET default_transaction_read_only = off"), "it cannot be written to");
  const auto failure = connection.Execute(sql);
  Must(!failure, failure ? failure->text + "\n" + sql.substr(0, 2000) : "");
}

void LoadTables(const neighbours::World& world, const std::string& schema) {
  const Result<Database> database = Database::OpenReadOnly(world.DataPath(), {});
  Must(database.ok(), "its database cannot be opened");
  Result<Connection> connected = database->Connect();
  Must(connected.ok(), "its database cannot be read");
  Connection connection = std::move(connected).value();
  const std::string name = sql::QuoteIdentifier(schema);
  std::string script = "CREATE SCHEMA " + name + "; SET search_path = " + name + ", pg_catalog;";
  for (const policy::SchemaTable& table : world.schema().tables) {
    script += CreateTable(table) + InsertRows(connection, table);
  }
  RunAsOwner(script);
}

}  // namespace tacit::golden
