#include "owner/in_place/same_columns.h"

#include <map>

#include "engine/duckdb/files/file_views.h"
#include "policy/schema.h"

namespace tacit::owner {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::FileColumn;
using engine::duckdb::FoundTable;
using policy::FileTable;

// Types by folded name.
using FileTypes = std::map<std::string, std::string>;

Error OtherColumns(const std::string& table, const std::string& what) {
  return InvalidArgument("the files of table " + table + " do not have the same columns: " + what,
                         "write the files anew with the columns and types of one of them");
}

// Of one Parquet file, without what the names of its folders say.
Result<FileTypes> TypesOf(const FoundTable& table, const std::string& path,
                          Connection& connection) {
  FoundTable own{.declared = table.declared, .files = {}};
  own.declared.partitions.clear();
  std::vector<FileColumn> columns;
  if (const auto failure = engine::duckdb::DescribeFile(
          connection, engine::duckdb::FileReaderSql(own, {path}), &columns)) {
    return engine::duckdb::UnreadableFiles(table.declared.name, *failure);
  }
  FileTypes types;
  for (const FileColumn& column : columns) {
    types[policy::FoldedName(column.name)] = column.engine_type;
  }
  return types;
}

Result<Done> CompareColumns(const std::string& table, const std::string& first, const FileTypes& a,
                            const std::string& other, const FileTypes& b) {
  for (const auto& [name, type] : a) {
    const auto found = b.find(name);
    if (found == b.end())
      return OtherColumns(table, other + " has no " + name + ", " + first + " has");
    if (found->second == type) continue;
    return OtherColumns(
        table, name + " is " + type + " in " + first + " and " + found->second + " in " + other);
  }
  for (const auto& [name, type] : b) {
    if (!a.contains(name))
      return OtherColumns(table, first + " has no " + name + ", " + other + " has");
  }
  return Done{};
}

// The first line of each CSV file names the columns that the policy declares, in their order: the
// engine would not look.
Result<Done> CheckHeader(const FoundTable& table, const std::string& path, Connection& connection) {
  FoundTable header{.declared = table.declared, .files = {}};
  header.declared.partitions.clear();
  header.declared.nulls.clear();
  for (policy::TypedColumn& column : header.declared.columns) column.type = "text";
  std::string from = engine::duckdb::FileReaderSql(header, {path});
  const std::string with = "header = true";
  from.replace(from.find(with), with.size(), "header = false");
  engine::ResultTable line;
  if (const auto failure =
          connection.Query({.sql = "SELECT * FROM " + from + " LIMIT 1"}, 1, &line)) {
    return engine::duckdb::UnreadableFiles(table.declared.name, *failure);
  }
  const auto wrong = [&](const std::string& column, const std::string& found) {
    Error error =
        OtherColumns(table.declared.name, "the first line of " + path + " does not name " + column +
                                              " where the policy does");
    // Of a file without such a line these are somebody's values.
    error.private_detail = "it has '" + found.substr(0, 70) + "'";
    return error;
  };
  if (line.rows.empty()) return wrong(table.declared.columns[0].name, "");
  const std::vector<engine::Value> names = line.rows.at(0);
  for (size_t i = 0; i < table.declared.columns.size(); ++i) {
    const std::string& declared = table.declared.columns[i].name;
    const std::string found =
        i < names.size() && !engine::IsNull(names[i]) ? engine::ToText(names[i]) : std::string();
    if (!policy::SameName(declared, found)) return wrong(declared, found);
  }
  return Done{};
}

}  // namespace

Result<Done> CheckSameColumns(const engine::duckdb::FoundTables& found, Connection& connection) {
  for (const FoundTable& table : found.tables()) {
    if (table.declared.format == FileTable::Format::kDuckdb) continue;
    std::optional<FileTypes> first;
    for (const engine::duckdb::FoundFile& file : table.files) {
      if (table.declared.format == FileTable::Format::kCsv) {
        TACIT_CHECK(CheckHeader(table, file.path, connection));
        continue;
      }
      TACIT_TRY(FileTypes types, TypesOf(table, file.path, connection));
      if (!first) {
        first = std::move(types);
        continue;
      }
      TACIT_CHECK(
          CompareColumns(table.declared.name, table.files[0].path, *first, file.path, types));
    }
  }
  return Done{};
}

}  // namespace tacit::owner
