#pragma once

#include <sqlite3.h>

#include <fstream>
#include <memory>
#include <sstream>

#include "engine/engine.h"
#include "engine/statement/printer.h"
#include "toy_dialect.h"

namespace tacit::toy {

inline Error NotTaken(const std::string& why) {
  return InvalidArgument("the toy does not take this: " + why);
}

// One CSV file, with a line of names, held in memory: a dialect, a connection and a map of types.
class ToyEngine final : public engine::Engine {
 public:
  ToyEngine(const std::string& csv, policy::SchemaTable table) : table_(std::move(table)) {
    sqlite3_open(":memory:", &database_);
    std::string columns;
    for (const policy::SchemaColumn& column : table_.columns) {
      columns += (columns.empty() ? "" : ", ") + sql::QuoteIdentifier(column.name) +
                 (column.type.kind == TypeKind::kText ? " TEXT" : " NUMERIC");
    }
    Execute("CREATE TABLE " + sql::QuoteIdentifier(table_.name) + " (" + columns + ")");
    std::ifstream file(csv);
    std::string line;
    for (std::getline(file, line); std::getline(file, line);) Insert(line);
  }
  ~ToyEngine() override { sqlite3_close(database_); }

  Result<policy::Schema> ReadSchema() override { return policy::Schema{{table_}}; }

  Result<std::vector<std::vector<engine::ResultColumn>>> Prepare(
      const plan::PrivatePlan& plan) override {
    std::vector<std::vector<engine::ResultColumn>> columns;
    for (const plan::Release& release : plan.releases) {
      TACIT_CHECK(StatementOf(release));
      auto& released = columns.emplace_back();
      for (const plan::KeyColumn& key : release.keys) released.push_back({key.name, key.type});
      for (const plan::Measure& measure : release.measures) {
        released.push_back({measure.name, NumericType(38, 0)});
      }
    }
    return columns;
  }

  Result<engine::ExactRelease> Run(const plan::Release& release,
                                   const std::vector<engine::Value>& parameters) override {
    TACIT_TRY(const Statement statement, StatementOf(release));
    for (size_t i = 0; i < parameters.size(); ++i) {
      const std::string text = engine::ToText(parameters[i]);
      sqlite3_bind_text(statement.get(), static_cast<int>(i) + 1, text.c_str(), -1,
                        SQLITE_TRANSIENT);
    }
    const bool with_units = std::holds_alternative<plan::UnitsChoice>(release.selection);
    engine::ExactGroups groups(
        release.keys.size(),
        std::vector<noise::Form>(release.measures.size(), noise::Form::kNumber));
    while (sqlite3_step(statement.get()) == SQLITE_ROW) {
      engine::ExactGroup group;
      int column = 0;
      for (const plan::KeyColumn& key : release.keys) {
        group.keys.push_back(KeyAt(statement.get(), column++, key.type));
      }
      const auto next = [&] { return sqlite3_column_int64(statement.get(), column++); };
      if (with_units) group.units = static_cast<uint64_t>(next());
      while (group.measures.size() < release.measures.size()) {
        group.measures.emplace_back(Int128{next()});
      }
      groups.Add(group);
    }
    const std::string wrong = engine::Arrange(release, groups);
    if (!wrong.empty()) return NotTaken(wrong);
    return engine::ExactRelease(std::move(groups));
  }

  Result<std::vector<engine::Told>> Explain(const plan::PrivatePlan&) override {
    return NotTaken("EXPLAIN");
  }
  Result<engine::ResultTable> Read(const plan::PublicTable&) override {
    return NotTaken("a public table");
  }

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

  void Execute(const std::string& text) {
    TACIT_ASSERT(sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  }
  void Insert(const std::string& line) {
    std::string values;
    std::stringstream cells(line);
    std::string cell;
    for (size_t i = 0; i < table_.columns.size(); ++i) {
      std::getline(cells, cell, ',');
      if (table_.columns[i].type.kind == TypeKind::kBoolean) cell = cell == "t" ? "1" : "0";
      values += (i == 0 ? "" : ", ") + (cell.empty() ? "NULL" : sql::QuoteString(cell));
    }
    Execute("INSERT INTO " + sql::QuoteIdentifier(table_.name) + " VALUES (" + values + ")");
  }
  Result<Statement> StatementOf(const plan::Release& release) {
    const ToyDialect dialect;
    TACIT_TRY(const std::string text, engine::statement::PrintExact(*release.exact, dialect));
    if (!dialect.Words().unknown.empty()) return NotTaken(*dialect.Words().unknown.begin());
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_, text.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      return NotTaken(sqlite3_errmsg(database_));
    }
    return Statement(statement, sqlite3_finalize);
  }
  static engine::Value KeyAt(sqlite3_stmt* row, int column, const ValueType& type) {
    if (sqlite3_column_type(row, column) == SQLITE_NULL) return {};
    if (type.kind == TypeKind::kBoolean) return sqlite3_column_int64(row, column) != 0;
    if (type.IsInteger()) return int64_t{sqlite3_column_int64(row, column)};
    return std::string(reinterpret_cast<const char*>(sqlite3_column_text(row, column)));
  }

  policy::SchemaTable table_;
  sqlite3* database_ = nullptr;
};

}  // namespace tacit::toy
