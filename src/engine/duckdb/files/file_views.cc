#include "engine/duckdb/files/file_views.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "policy/schema.h"

namespace tacit::engine::duckdb {
namespace {

using policy::FileTable;
using FileFormat = FileTable::Format;

// Names of attached databases, by their files: the engine attaches none twice.
using Attached = std::map<std::string, std::string>;

Result<std::string> Attach(Connection& connection, const FoundTable& table, Attached& attached) {
  const std::string& path = table.files[0].path;
  if (const auto known = attached.find(path); known != attached.end()) return known->second;
  const std::string name = "tacit_file_" + std::to_string(attached.size());
  if (const auto failure =
          connection.Execute("ATTACH " + QuoteLiteral(path) + " AS " + name + " (READ_ONLY)")) {
    return UnreadableFiles(table.declared.name, *failure);
  }
  attached.emplace(path, name);
  return name;
}

// {'year': 'bigint'}, or nothing for none.
std::string StructOf(const std::vector<policy::TypedColumn>& columns) {
  std::string text;
  for (const policy::TypedColumn& column : columns) {
    text +=
        (text.empty() ? "{" : ", ") + QuoteLiteral(column.name) + ": " + QuoteLiteral(column.type);
  }
  return text + "}";
}

// Types of folders are what the policy says; what their names look like decides nothing.
std::string FolderOptions(const FileTable& table) {
  if (table.partitions.empty()) return ", hive_partitioning = false";
  return ", hive_partitioning = true, hive_types_autocast = false, hive_types = " +
         StructOf(table.partitions);
}

std::string CsvOptions(const FileTable& table) {
  std::string nulls = "['']";
  if (!table.nulls.empty()) {
    nulls = "[''";
    for (const std::string& text : table.nulls) nulls += ", " + QuoteLiteral(text);
    nulls += "]";
  }
  return ", auto_detect = false, strict_mode = true, header = true, quote = '\"', escape = '\"', "
         "delim = " +
         QuoteLiteral(std::string(1, table.delimiter)) + ", nullstr = " + nulls +
         ", columns = " + StructOf(table.columns);
}

bool HasColumn(const std::vector<FileColumn>& columns, const char* name) {
  return std::any_of(columns.begin(), columns.end(), [name](const FileColumn& column) {
    return policy::SameName(column.name, name);
  });
}

// A row's number among all rows of the table. In Parquet it is known without reading: the place of
// the file and the row's in it. A column of such a name hides the engine's own.
std::string RowIdOf(FileFormat format, const std::vector<FileColumn>& columns) {
  if (format == FileFormat::kDuckdb) return "rowid";
  const bool known = format == FileFormat::kParquet && !HasColumn(columns, "file_index") &&
                     !HasColumn(columns, "file_row_number");
  if (!known) return "row_number() OVER () - 1";
  // Why 2^40: no file has more rows, and 2^23 files are more than may be found.
  return "CAST(file_index AS BIGINT) * 1099511627776 + file_row_number";
}

// What analysts' statements or Tacit's own would take for something else.
Result<Done> CheckFileColumn(const std::string& table, const std::string& column) {
  const std::string name = policy::FoldedName(column);
  if (name != kViewRowId && !name.starts_with("tacit_")) return Done{};
  return InvalidArgument(
      "the column " + column + " of table " + table + " has a name that is Tacit's own",
      "rename it in the files; names that begin with tacit_ and rowid are");
}

// The columns of the files, and behind them those of the folders that the policy names. A folder
// whose name is a column's would replace its values.
Result<std::vector<FileColumn>> ColumnsOfFiles(Connection& connection, const FoundTable& table,
                                               const std::string& from) {
  const std::string& name = table.declared.name;
  FoundTable files{.declared = table.declared, .files = {}};
  files.declared.partitions.clear();
  const bool has_folders = !table.declared.partitions.empty();
  std::vector<FileColumn> own, all;
  const std::string without = has_folders ? FileReaderSql(files, {table.files[0].path}) : from;
  if (const auto failure = DescribeFile(connection, without, &own)) {
    return UnreadableFiles(name, *failure);
  }
  if (!has_folders) return own;
  for (const std::filesystem::path& part : std::filesystem::path(table.files[0].path)) {
    const std::string folder = part.string().substr(0, part.string().find('='));
    if (folder == part.string() || !HasColumn(own, folder.c_str())) continue;
    return InvalidArgument("the column " + folder + " of table " + name +
                               " is in the files and in the names of their folders",
                           "rename the folders");
  }
  if (const auto failure = DescribeFile(connection, from, &all)) {
    return UnreadableFiles(name, *failure);
  }
  for (const policy::TypedColumn& folder : table.declared.partitions) {
    for (const FileColumn& column : all) {
      if (column.name == folder.name) own.push_back(column);
    }
  }
  return own;
}

// The base table of an attached database, and which of its columns compare texts in a way of their
// own.
Result<std::vector<std::string>> CollatedIn(Connection& connection, const FoundTable& table,
                                            const std::string& database) {
  ResultTable stored;
  const auto failure = connection.Query(
      {.sql = "SELECT sql FROM duckdb_tables() WHERE database_name = " + QuoteLiteral(database) +
              " AND schema_name = 'main' AND table_name = " +
              QuoteLiteral(table.declared.stored_name)},
      2, &stored);
  if (failure) return UnreadableFiles(table.declared.name, *failure);
  if (stored.rows.size() != 1) {
    return InvalidArgument(
        "the file " + table.files[0].path + " has no table " + table.declared.stored_name,
        "name one that is stored there, as FILE.duckdb:TABLE; a view can mix "
        "people");
  }
  return CollatedColumns(ToText(stored.rows.at(0)[0]));
}

Result<std::string> ViewSql(Connection& connection, const FoundTable& table, Attached& attached) {
  std::vector<std::string> paths, collated;
  for (const FoundFile& file : table.files) paths.push_back(file.path);
  std::string from = FileReaderSql(table, paths);
  if (table.declared.format == FileFormat::kDuckdb) {
    TACIT_TRY(const std::string database, Attach(connection, table, attached));
    TACIT_TRY(collated, CollatedIn(connection, table, database));
    from = database + ".main." + QuoteName(table.declared.stored_name);
  }
  TACIT_TRY(const std::vector<FileColumn> columns, ColumnsOfFiles(connection, table, from));
  std::string items;
  for (const FileColumn& column : columns) {
    TACIT_CHECK(CheckFileColumn(table.declared.name, column.name));
    const bool is_collated =
        std::find(collated.begin(), collated.end(), column.name) != collated.end();
    items += SoundValue(column) + (is_collated ? " COLLATE \"binary\"" : "") + " AS " +
             QuoteName(column.name) + ", ";
  }
  return "CREATE VIEW " + QuoteName(table.declared.name) + " AS SELECT " + items +
         RowIdOf(table.declared.format, columns) + " AS " + kViewRowId + " FROM " + from;
}

}  // namespace

Error UnreadableFiles(const std::string& table, const Failure& failure) {
  Error error = InvalidArgument("cannot read the files of table " + table,
                                "tacit check says why; correct the files, or `engine: tables:` in "
                                "the policy");
  error.private_detail = failure.text.substr(0, failure.text.find("\n\n")).substr(0, 600);
  return error;
}

std::string FileReaderSql(const FoundTable& table, const std::vector<std::string>& paths) {
  std::string list;
  for (const std::string& path : paths) list += (list.empty() ? "[" : ", ") + QuoteLiteral(path);
  const bool is_csv = table.declared.format == FileFormat::kCsv;
  return (is_csv ? "read_csv(" : "read_parquet(") + list + "]" +
         (is_csv ? CsvOptions(table.declared) : ", union_by_name = false") +
         FolderOptions(table.declared) + ")";
}

Result<Done> MakeFileViews(Connection& connection, const FoundTables& found) {
  Attached attached;
  for (const FoundTable& table : found.tables()) {
    TACIT_TRY(const std::string view, ViewSql(connection, table, attached));
    if (const auto failure = connection.Execute(view)) {
      return UnreadableFiles(table.declared.name, *failure);
    }
  }
  return Done{};
}

}  // namespace tacit::engine::duckdb
