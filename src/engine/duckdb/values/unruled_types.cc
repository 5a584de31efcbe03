#include "engine/duckdb/values/unruled_types.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/duckdb/database/errors.h"

namespace tacit::engine::duckdb {
namespace {

// Why: far above any schema, and still a moment.
constexpr int64_t kColumnsMax = 1'000'000;

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Reads the text between the outermost parentheses, quoted names and texts as wholes.
class Declarations {
 public:
  explicit Declarations(const std::string& text) : text_(text) {}

  // The next word, quoted name or single mark; empty at the end.
  std::string Next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ == text_.size()) return "";
    const size_t start = at_;
    const char first = text_[at_++];
    if (first == '"' || first == '\'') {
      while (at_ < text_.size()) {
        if (text_[at_++] != first) continue;
        if (at_ == text_.size() || text_[at_] != first) break;
        ++at_;  // doubled: one of its own
      }
    } else if (IsLetter(first)) {
      while (at_ < text_.size() &&
             (IsLetter(text_[at_]) || (text_[at_] >= '0' && text_[at_] <= '9'))) {
        ++at_;
      }
    }
    return text_.substr(start, at_ - start);
  }

 private:
  const std::string& text_;
  size_t at_ = 0;
};

std::string NameOf(const std::string& token) {
  if (!token.starts_with('"')) return token;
  std::string name;
  for (size_t i = 1; i + 1 < token.size(); ++i) {
    name += token[i];
    if (token[i] == '"') ++i;
  }
  return name;
}

policy::SchemaColumn* FindColumn(policy::Schema& schema, const std::string& table,
                                 const std::string& column) {
  for (policy::SchemaTable& stored : schema.tables) {
    if (stored.name != table) continue;
    for (policy::SchemaColumn& candidate : stored.columns) {
      if (candidate.name == column) return &candidate;
    }
  }
  return nullptr;
}

void MarkColumn(policy::SchemaColumn* column, const std::string& type) {
  if (column == nullptr) return;
  column->type = kOpaqueType;
  column->without_rule = type;
}

}  // namespace

RuledType RuledTypeFor(const std::string& engine_type) {
  if (engine_type.starts_with("TIMESTAMP_") && !TACIT_MUTANT("timestamp_units_accepted")) {
    return {"TIMESTAMP", engine_type == "TIMESTAMP_NS" ? "fractions of a microsecond" : ""};
  }
  if ((engine_type == "HUGEINT" || engine_type == "UHUGEINT") && !TACIT_MUTANT("hugeint_accepted"))
    return {"DECIMAL(38,0)", "numbers of 39 digits"};
  return {};
}

std::vector<std::string> CollatedColumns(const std::string& create_table) {
  std::vector<std::string> collated;
  Declarations declarations(create_table);
  std::string column, token = declarations.Next();
  int depth = 0;
  while (!token.empty()) {
    if (token == "(") ++depth;
    if (token == ")") --depth;
    const bool begins = depth == 1 && (token == "," || (token == "(" && column.empty()));
    if (begins) {
      column = NameOf(declarations.Next());
    } else if (depth == 1 && token == "COLLATE") {
      collated.push_back(column);
    }
    token = declarations.Next();
  }
  return collated;
}

Result<Done> MarkUnruledTypes(Connection& connection, policy::Schema& schema) {
  ResultTable columns;
  if (const auto failure = connection.Query(
          {.sql = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE "
                  "schema_name = 'main' AND NOT internal AND database_name = current_database()"},
          kColumnsMax, &columns)) {
    return EngineUnavailable(failure->text);
  }
  for (const std::vector<Value>& row : columns.rows) {
    const std::string type = ToText(row[2]);
    policy::SchemaColumn* column = FindColumn(schema, ToText(row[0]), ToText(row[1]));
    if (column != nullptr &&
        (column->type.kind == TypeKind::kOpaque || !RuledTypeFor(type).name.empty())) {
      MarkColumn(column, type);
    }
  }
  ResultTable tables;
  if (const auto failure = connection.Query(
          {.sql = "SELECT table_name, sql FROM duckdb_tables() WHERE schema_name = 'main' AND NOT "
                  "internal AND database_name = current_database() AND sql LIKE '%COLLATE%'"},
          kColumnsMax, &tables)) {
    return EngineUnavailable(failure->text);
  }
  for (const std::vector<Value>& row : tables.rows) {
    if (TACIT_MUTANT("collation_accepted")) break;
    for (const std::string& column : CollatedColumns(ToText(row[1]))) {
      MarkColumn(FindColumn(schema, ToText(row[0]), column), "VARCHAR COLLATE");
    }
  }
  return Done{};
}

}  // namespace tacit::engine::duckdb
