#include "owner/import/import_table.h"

#include "engine/duckdb/values/unruled_types.h"
#include "owner/import/reader.h"
#include "owner/import/values.h"

namespace tacit::owner {
namespace {

using engine::ResultColumn;
using engine::ResultTable;
using engine::duckdb::Connection;
using engine::duckdb::Failure;
using engine::duckdb::QuoteName;
using engine::duckdb::RuledType;

// Where the value is one of its type, in the engine's words; nothing where every stored one is. A
// file in Parquet may hold others, on which the engine raises when it computes with them: then one
// row would decide whether a question is answered.
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

// What each column of the file is stored as, where its own type has no rules.
Result<std::vector<RuledType>> RuledTypes(Connection& connection, const TableFile& source,
                                          const std::string& reader) {
  // Why: far above any file's columns, and still a moment.
  constexpr int64_t kColumnsMax = 100'000;
  ResultTable described;
  if (const std::optional<Failure> failure = connection.Query(
          {.sql = "SELECT column_type FROM (DESCRIBE SELECT * FROM " + reader + ")"}, kColumnsMax,
          &described)) {
    return BadFile(source, *failure);
  }
  std::vector<RuledType> types;
  for (const std::vector<engine::Value>& row : described.rows) {
    types.push_back(engine::duckdb::RuledTypeFor(ToText(row[0])));
  }
  return types;
}

}  // namespace

Result<std::vector<std::string>> ImportTable(Connection& connection, const TableFile& source,
                                             const std::string& cluster_by,
                                             const CsvDialect& dialect, const Progress& progress) {
  std::vector<std::string> notes;
  TACIT_TRY(FileReader reading, FileReader::Open(connection, source, dialect));
  if (reading.is_csv()) TACIT_CHECK(ReadValues(connection, source, reading, notes));
  const std::string reader = reading.Sql();
  ResultTable shape;
  if (const std::optional<Failure> failure =
          connection.Query({.sql = "SELECT * FROM " + reader + " LIMIT 0"}, 1, &shape)) {
    return BadFile(source, *failure);
  }

  TACIT_TRY(const std::vector<RuledType> ruled, RuledTypes(connection, source, reader));
  std::string select, order;
  std::vector<std::string> numbers, converted;
  for (size_t i = 0; i < shape.columns.size(); ++i) {
    const ResultColumn& column = shape.columns[i];
    const std::string name = QuoteName(column.name);
    const RuledType& stored = ruled[i];
    const std::string value =
        stored.name.empty() ? name : "TRY_CAST(" + name + " AS " + stored.name + ")";
    if (!select.empty()) select += ", ";
    const bool cast = !stored.name.empty() && column.type.kind == TypeKind::kNumeric;
    const std::string sound = cast ? "" : IsOfItsType(column.type, value);
    select +=
        (sound.empty() ? value : "CASE WHEN " + sound + " THEN " + value + " END") + " AS " + name;
    if (!stored.name.empty()) {
      converted.push_back(column.name + " stored as " + stored.name +
                          (stored.loses.empty() ? "" : ", without " + stored.loses));
    }
    if (column.type.IsFloat()) numbers.push_back(column.name);
    if (policy::SameName(column.name, cluster_by)) order = " ORDER BY " + name;
  }
  if (!cluster_by.empty() && order.empty()) {
    std::vector<std::string> names;
    for (const ResultColumn& column : shape.columns) names.push_back(column.name);
    return InvalidArgument("--unit: " + source.file + " has no column " + cluster_by +
                               "; its columns are: " + Joined(names).substr(0, 300),
                           "name one of them as TABLE.COLUMN; --delimiter and --header say how the "
                           "file is split");
  }
  if (const std::optional<Failure> failure =
          RunWithProgress(connection,
                          {.sql = "CREATE TABLE " + QuoteName(source.table) + " AS SELECT " +
                                  select + " FROM " + reader + order},
                          source.table, progress)) {
    return BadFile(source, *failure);
  }

  // One row for each person, where that is so: the database then enforces it, and no query has to
  // look for a second row. It fails where somebody has several, which is as good an answer.
  if (!cluster_by.empty()) {
    (void)connection.Execute("CREATE UNIQUE INDEX " + QuoteName("tacit_unit_" + source.table) +
                             " ON " + QuoteName(source.table) + " (" + QuoteName(cluster_by) + ")");
  }

  reading.Close(connection);
  if (!numbers.empty()) {
    notes.push_back(source.table + ": NaN and infinite values of " + Joined(numbers) +
                    ", if there are any, are stored as NULL");
  }
  for (const std::string& note : converted) notes.push_back(source.table + ": " + note);
  return notes;
}

}  // namespace tacit::owner
