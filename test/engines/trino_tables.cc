#include "trino_tables.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/duckdb/database/database.h"
#include "sql/print/quote.h"
#include "sql/print/trino/trino.h"

namespace tacit::golden {
namespace {

namespace duck = engine::duckdb;
using sql::QuoteIdentifier;

std::string TypeIn(const policy::SchemaColumn& column) {
  // Holds a text as it is and is no text: compared without the blanks behind it.
  if (column.type.kind == TypeKind::kOpaque || column.type.kind == TypeKind::kInterval) {
    return "char(3000)";
  }
  if (column.type.kind == TypeKind::kTime) return "time(6)";
  return sql::TrinoDialect().TypeName(column.type);
}

// DuckDB marks a year before the first, Trino counts on below it.
std::string ValueText(std::string text, const policy::SchemaColumn& column) {
  const ValueType& type = column.type;
  const size_t mark = text.find(" (BC)");
  if (mark != std::string::npos &&
      (type.kind == TypeKind::kDate || type.kind == TypeKind::kTimestamp)) {
    text.erase(mark, 5);
    const size_t dash = text.find('-');
    std::string year = std::to_string(std::stoi(text.substr(0, dash)) - 1);
    year.insert(0, 4 - std::min<size_t>(year.size(), 4), '0');
    text = "-" + year + text.substr(dash);
  }
  if (type.kind == TypeKind::kTimestampTz && text.ends_with("+00")) {
    text.replace(text.size() - 3, 3, " UTC");
  }
  if (type.IsFloat()) {
    if (text == "inf" || text == "-inf") text.replace(text.size() - 3, 3, "Infinity");
    if (text == "nan") text = "NaN";
  }
  return "CAST(" + sql::QuoteString(text) + " AS " + TypeIn(column) + ")";
}

void InsertRows(duck::Connection& connection, const policy::SchemaTable& table,
                const std::string& into) {
  std::string texts;
  for (const policy::SchemaColumn& column : table.columns) {
    texts +=
        (texts.empty() ? "" : ", ") + ("CAST(" + QuoteIdentifier(column.name)) + " AS VARCHAR)";
  }
  engine::ResultTable rows;
  const auto failure = connection.Query(
      {.sql = "SELECT " + texts + " FROM " + QuoteIdentifier(table.name)}, 1'000'000, &rows);
  ASSERT_FALSE(failure) << failure->text;
  std::string values;
  const auto flush = [&] {
    if (!values.empty()) RunInTrino("INSERT INTO " + into + " VALUES " + values);
    values.clear();
  };
  for (const std::vector<engine::Value>& row : rows.rows) {
    values += values.empty() ? "(" : ", (";
    for (size_t i = 0; i < row.size(); ++i) {
      values += i == 0 ? "" : ", ";
      values += engine::IsNull(row[i]) ? "NULL"
                                       : ValueText(std::get<std::string>(row[i]), table.columns[i]);
    }
    values += ")";
    if (values.size() > 200'000) flush();
  }
  flush();
}

}  // namespace

std::optional<policy::TrinoSettings> TestCluster(const std::string& schema) {
  const char* url = std::getenv("TACIT_TRINO_URL");
  if (url == nullptr) return std::nullopt;
  return policy::TrinoSettings{.url = url, .catalog = "memory", .schema = schema};
}

void RunInTrino(const std::string& sql) {
  static auto* const connection = [] {
    Result<engine::trino::Connection> opened =
        engine::trino::Connection::Open(TestCluster("default").value(), {});
    return new engine::trino::Connection(std::move(opened).value());
  }();
  engine::trino::Reply reply;
  const auto failure = connection->Query(sql, std::chrono::minutes(2), reply);
  ASSERT_FALSE(failure) << failure->text << "\n" << sql.substr(0, 2000);
}

policy::TrinoSettings LoadIntoTrino(const neighbours::World& world, const std::string& schema) {
  policy::TrinoSettings settings = TestCluster(schema).value();
  const Result<duck::Database> database = duck::Database::OpenReadOnly(world.DataPath(), {});
  EXPECT_TRUE(database.ok());
  Result<duck::Connection> connected = database->Connect();
  EXPECT_TRUE(connected.ok());
  duck::Connection connection = std::move(connected).value();
  RunInTrino("CREATE SCHEMA memory." + QuoteIdentifier(schema));
  for (const policy::SchemaTable& table : world.schema().tables) {
    const std::string name =
        "memory." + QuoteIdentifier(schema) + "." + QuoteIdentifier(table.name);
    std::string columns;
    for (const policy::SchemaColumn& column : table.columns) {
      columns += (columns.empty() ? "" : ", ") + QuoteIdentifier(column.name) + " " +
                 TypeIn(column) + (column.not_null ? " NOT NULL" : "");
      if (column.unique) settings.unique.push_back({table.name, column.name});
    }
    RunInTrino("CREATE TABLE " + name + " (" + columns + ")");
    InsertRows(connection, table, name);
  }
  return settings;
}

}  // namespace tacit::golden
