#include "gateway/deployment/catalog_file.h"

#include <optional>
#include <utility>

#include "answer/stored_type.h"
#include "answer/table_bytes.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "gateway/kept/small_file.h"

namespace tacit::gateway {
namespace {

using engine::ResultTable;
using engine::Value;

const std::vector<engine::ResultColumn> kColumns = {
    {"table", kTextType},    {"column", kTextType},       {"kind", kBigintType},
    {"bits", kBigintType},   {"precision", kBigintType},  {"scale", kBigintType},
    {"unique", kBigintType}, {"without_rule", kTextType}, {"not_null", kBigintType}};

// The first row is the identity; then one row a column, in order.
ResultTable ToTable(const policy::Schema& schema, const std::string& identity) {
  ResultTable table{.columns = kColumns, .rows = {}};
  const auto number = [](int value) { return Value(static_cast<int64_t>(value)); };
  table.rows.push_back({Value(identity), Value(std::string()), number(0), number(0), number(0),
                        number(0), number(0), Value(std::string()), number(0)});
  for (const policy::SchemaTable& stored : schema.tables) {
    for (const policy::SchemaColumn& column : stored.columns) {
      const answer::StoredType type = answer::StoredTypeOf(column.type);
      table.rows.push_back({Value(stored.name), Value(column.name), number(type.kind),
                            number(type.bits), number(type.precision), number(type.scale),
                            number(column.unique ? 1 : 0), Value(column.without_rule),
                            number(column.not_null ? 1 : 0)});
    }
  }
  return table;
}

std::optional<policy::Schema> FromTable(const ResultTable& table, const std::string& identity) {
  if (table.columns.size() != kColumns.size() || table.rows.empty()) return std::nullopt;
  if (table.rows[0][0] != Value(identity)) return std::nullopt;
  policy::Schema schema;
  bool is_first = true;
  for (const std::vector<Value>& row : table.rows) {
    if (std::exchange(is_first, false)) continue;
    const auto* name = std::get_if<std::string>(&row[0]);
    const auto* column = std::get_if<std::string>(&row[1]);
    const auto* without_rule = std::get_if<std::string>(&row[7]);
    if (name == nullptr || column == nullptr || without_rule == nullptr) return std::nullopt;
    uint8_t numbers[5] = {};
    for (size_t k = 0; k < 5; ++k) {
      const auto* number = std::get_if<int64_t>(&row[2 + k]);
      if (number == nullptr || *number < 0 || *number > 255) return std::nullopt;
      numbers[k] = static_cast<uint8_t>(*number);
    }
    const std::optional<ValueType> type =
        answer::TypeOf({numbers[0], numbers[1], numbers[2], numbers[3]});
    if (!type) return std::nullopt;
    if (schema.tables.empty() || schema.tables.back().name != *name) {
      schema.tables.push_back({*name, {}});
    }
    const auto* not_null = std::get_if<int64_t>(&row[8]);
    if (not_null == nullptr) return std::nullopt;
    schema.tables.back().columns.push_back(
        {*column, *type, numbers[4] == 1, *without_rule, *not_null == 1});
  }
  return schema;
}

std::optional<policy::Schema> Load(const std::string& path, const std::string& identity) {
  const std::optional<std::string> bytes = ReadSmallFile(path);
  if (!bytes) return std::nullopt;
  const Result<ResultTable> table = answer::ReadTable(*bytes);
  if (!table.ok()) return std::nullopt;
  return FromTable(*table, identity);
}

}  // namespace

Result<policy::Schema> SchemaOf(const std::string& database_path, engine::Engine& engine) {
  const std::string path = database_path + "-catalog";
  const std::optional<std::string> identity = engine::duckdb::FileIdentity(database_path);
  if (identity) {
    if (std::optional<policy::Schema> schema = Load(path, *identity)) return std::move(*schema);
  }
  TACIT_TRY(policy::Schema schema, engine.ReadSchema());
  // Taken again: what was read belongs to the file only if it did not change meanwhile.
  if (identity && engine::duckdb::FileIdentity(database_path) == identity)
    WriteSmallFile(path, answer::WriteTable(ToTable(schema, *identity)));
  return schema;
}

}  // namespace tacit::gateway
