#include "owner/import/import_table.h"

#include "engine/duckdb/values/sound_values.h"
#include "owner/import/reader.h"
#include "owner/import/values.h"

namespace tacit::owner {

using engine::duckdb::Connection;
using engine::duckdb::Failure;
using engine::duckdb::FileColumn;
using engine::duckdb::QuoteName;

Result<std::vector<std::string>> ImportTable(Connection& connection, const TableFile& source,
                                             const std::string& cluster_by,
                                             const CsvDialect& dialect, const Progress& progress) {
  std::vector<std::string> notes;
  TACIT_TRY(FileReader reading, FileReader::Open(connection, source, dialect));
  if (reading.is_csv()) TACIT_CHECK(ReadValues(connection, source, reading, notes));
  const std::string reader = reading.Sql();
  std::vector<FileColumn> columns;
  if (const std::optional<Failure> failure =
          engine::duckdb::DescribeFile(connection, reader, &columns)) {
    return BadFile(source, *failure);
  }
  std::string select, order;
  std::vector<std::string> numbers, converted;
  for (const FileColumn& column : columns) {
    const std::string name = QuoteName(column.name);
    if (!select.empty()) select += ", ";
    select += engine::duckdb::SoundValue(column) + " AS " + name;
    if (!column.ruled.name.empty()) {
      converted.push_back(column.name + " stored as " + column.ruled.name +
                          (column.ruled.loses.empty() ? "" : ", without " + column.ruled.loses));
    }
    if (column.type.IsFloat()) numbers.push_back(column.name);
    if (policy::SameName(column.name, cluster_by)) order = " ORDER BY " + name;
  }
  if (!cluster_by.empty() && order.empty()) {
    std::vector<std::string> names;
    for (const FileColumn& column : columns) names.push_back(column.name);
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
