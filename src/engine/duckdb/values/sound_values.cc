#include "engine/duckdb/values/sound_values.h"

namespace tacit::engine::duckdb {
namespace {

// Where the value is one of its type; nothing where every stored one is.
std::string IsOfItsType(const ValueType& type, const std::string& value) {
  switch (type.kind) {
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      // The first microsecond that the engine can write.
      return "isfinite(" + value + ") AND epoch_us(" + value + ") >= -9223372022400000000";
    case TypeKind::kDate:
      return "isfinite(" + value + ")";
    case TypeKind::kNumeric: {
      if (type.precision == 0) return "";
      const auto digits = [](int count) { return std::string(static_cast<size_t>(count), '9'); };
      const std::string most = "0" + digits(type.precision - type.scale) + "." + digits(type.scale);
      const std::string words =
          "DECIMAL(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
      return value + " BETWEEN CAST('-" + most + "' AS " + words + ") AND CAST('" + most + "' AS " +
             words + ")";
    }
    default:
      return type.IsFloat() ? "isfinite(" + value + ")" : "";
  }
}

}  // namespace

std::optional<Failure> DescribeFile(Connection& connection, const std::string& from,
                                    std::vector<FileColumn>* columns) {
  // Why: far above any file's columns, and still a moment.
  constexpr int64_t kFileColumnsMax = 100'000;
  std::vector<ResultColumn> shape;
  if (auto failure = connection.Describe({.sql = "SELECT * FROM " + from}, &shape)) return failure;
  ResultTable described;
  if (auto failure =
          connection.Query({.sql = "SELECT column_type FROM (DESCRIBE SELECT * FROM " + from + ")"},
                           kFileColumnsMax, &described)) {
    return failure;
  }
  columns->clear();
  for (const std::vector<Value>& row : described.rows) {
    const ResultColumn& column = shape.at(columns->size());
    const std::string type = ToText(row[0]);
    columns->push_back({.name = column.name,
                        .type = column.type,
                        .engine_type = type,
                        .ruled = RuledTypeFor(type)});
  }
  return std::nullopt;
}

std::string SoundValue(const FileColumn& column) {
  const std::string name = QuoteName(column.name);
  const bool is_cast = !column.ruled.name.empty();
  const std::string value = is_cast ? "TRY_CAST(" + name + " AS " + column.ruled.name + ")" : name;
  const bool becomes_numeric = is_cast && column.type.kind == TypeKind::kNumeric;
  const std::string sound = becomes_numeric ? "" : IsOfItsType(column.type, value);
  return sound.empty() ? value : "CASE WHEN " + sound + " THEN " + value + " END";
}

}  // namespace tacit::engine::duckdb
