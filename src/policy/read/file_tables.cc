#include <cstdio>
#include <filesystem>
#include <set>

#include "base/ascii.h"
#include "policy/read/sections.h"
#include "policy/schema.h"

// Tables that stand in files: `visits: "data/visits/*.parquet"`, or a mapping where more has to be
// said. Types are what the files declare or what is written here, never what values look like: one
// row would decide them.
namespace tacit::policy::read {
namespace {

using yaml::ErrorAt;
using yaml::Node;
using yaml::TextOf;
using yaml::Words;
using FileFormat = FileTable::Format;

constexpr char kFilesExample[] = "visits: \"data/visits/*.parquet\"";
constexpr char kFileTypes[] =
    "smallint, integer, bigint, real, double, numeric(10,2), text, boolean, date, timestamp, "
    "timestamptz";

bool EndsWithAny(const std::string& text, std::initializer_list<const char*> endings) {
  for (const char* ending : endings) {
    if (text.ends_with(ending)) return true;
  }
  return false;
}

bool IsDatabase(const std::string& name) { return EndsWithAny(name, {".duckdb", ".ddb", ".db"}); }

// numeric(P,S) with 1 <= P <= 38 and S <= P.
bool IsNumericType(const std::string& type) {
  int precision = 0, scale = 0, used = 0;
  return type.size() < 20 &&
         std::sscanf(type.c_str(), "numeric(%2d,%2d)%n", &precision, &scale, &used) == 2 &&
         static_cast<size_t>(used) == type.size() && precision >= 1 && precision <= 38 &&
         scale >= 0 && scale <= precision;
}

bool IsFileType(const std::string& type) {
  static const std::set<std::string> known = {"smallint",  "integer",    "bigint",  "real",
                                              "double",    "text",       "boolean", "date",
                                              "timestamp", "timestamptz"};
  return known.contains(type) || IsNumericType(type);
}

Result<std::vector<TypedColumn>> ReadTypedColumns(const Node& node, std::string_view file,
                                                  const std::string& what) {
  if (node.kind != Node::Kind::kMapping) {
    return ErrorAt(file, node.place, what + " must be a mapping of names and types",
                   "write  {id: bigint, admitted: date}");
  }
  std::vector<TypedColumn> columns;
  for (const auto& [key, value] : node.entries) {
    TACIT_CHECK(CheckName(key, file, "a column's name"));
    TACIT_TRY(const std::string written, TextOf(value, file, "the type of " + key.text));
    std::string type;
    for (const char c : InSmallLetters(written)) {
      if (c != ' ') type += c;
    }
    if (!IsFileType(type)) {
      return ErrorAt(file, value.place, "'" + written + "' is no type that a file can be read as",
                     std::string("write one of: ") + kFileTypes);
    }
    for (const TypedColumn& other : columns) {
      if (SameName(other.name, key.text)) {
        return ErrorAt(file, key.place, "the column " + key.text + " is named twice");
      }
    }
    columns.push_back({.name = key.text, .type = type});
  }
  return columns;
}

// What kind of file it is, by its name; for a database, its table too.
Result<Done> ReadFiles(const std::string& text, const Place& place, std::string_view file,
                       const std::string& folder, FileTable& table) {
  std::string path = text;
  if (path.find("://") != std::string::npos) {
    return ErrorAt(file, place, "the files of " + table.name + " are not on this machine",
                   "only files of this machine are read: mount the folder, or copy the files");
  }
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < 32) {
      return ErrorAt(file, place, "the files of " + table.name + " have a name of several lines");
    }
  }
  const size_t colon = path.rfind(':');
  if (colon != std::string::npos && IsDatabase(FoldedName(path.substr(0, colon)))) {
    table.stored_name = path.substr(colon + 1);
    path.resize(colon);
  }
  const std::string name = FoldedName(path);
  if (EndsWithAny(name, {".parquet", ".pq"})) {
    table.format = FileFormat::kParquet;
  } else if (EndsWithAny(name, {".csv", ".csv.gz", ".tsv", ".tsv.gz"})) {
    table.format = FileFormat::kCsv;
  } else if (IsDatabase(name)) {
    table.format = FileFormat::kDuckdb;
  } else {
    return ErrorAt(file, place, "cannot tell what kind of files " + text + " are",
                   "only .parquet, .csv, .tsv (also .gz) and .duckdb are read where they are; "
                   "tacit init reads others into a database");
  }
  const bool is_database = table.format == FileFormat::kDuckdb;
  if (is_database && path.find_first_of("*?[") != std::string::npos) {
    return ErrorAt(file, place, "a database is one file, and " + text + " is a pattern",
                   "name one: FILE.duckdb:TABLE");
  }
  if (is_database && table.stored_name.empty()) table.stored_name = table.name;
  table.files = (std::filesystem::path(folder) / path).lexically_normal().string();
  return Done{};
}

Result<Done> ReadCsv(const Words& words, std::string_view file, FileTable& table) {
  if (table.files.ends_with(".tsv") || table.files.ends_with(".tsv.gz")) table.delimiter = '\t';
  if (const Node* delimiter = words.Find("delimiter")) {
    TACIT_TRY(const std::string text, TextOf(*delimiter, file, "delimiter"));
    if (text.size() != 1 || static_cast<unsigned char>(text[0]) >= 128 || text[0] == '"' ||
        text[0] == '\n' || text[0] == '\r') {
      return ErrorAt(file, delimiter->place, "delimiter is not one character",
                     "like  delimiter: \";\"");
    }
    table.delimiter = text[0];
  }
  if (const Node* nulls = words.Find("nulls")) {
    if (nulls->kind != Node::Kind::kSequence) {
      return ErrorAt(file, nulls->place, "nulls must be a list", "like  nulls: [\"n/a\"]");
    }
    for (const Node& item : nulls->items) {
      TACIT_TRY(table.nulls.emplace_back(), TextOf(item, file, "a text of nulls"));
    }
  }
  return Done{};
}

Result<Done> CheckWords(const Words& words, std::string_view file, const FileTable& table) {
  const bool is_csv = table.format == FileFormat::kCsv;
  for (const char* word : {"columns", "delimiter", "nulls"}) {
    if (is_csv || !words.Has(word)) continue;
    return ErrorAt(file, words.Find(word)->place,
                   "`" + std::string(word) + "` is for CSV files; those of " + table.name +
                       " say it themselves",
                   "leave it out");
  }
  if (table.format == FileFormat::kDuckdb && words.Has("partitions")) {
    return ErrorAt(file, words.Find("partitions")->place, "a DuckDB file has no folders inside",
                   "leave partitions out");
  }
  return Done{};
}

Result<FileTable> ReadMapping(const Node& node, std::string_view file, const std::string& folder,
                              FileTable table) {
  TACIT_TRY(const Words words, Words::Of(node, file, "the files of " + table.name,
                                         {"files", "columns", "partitions", "delimiter", "nulls"}));
  TACIT_TRY(const std::string files, words.NeedText("files", "files: \"data/visits/*.parquet\""));
  TACIT_CHECK(ReadFiles(files, words.Find("files")->place, file, folder, table));
  TACIT_CHECK(CheckWords(words, file, table));
  if (const Node* columns = words.Find("columns")) {
    TACIT_TRY(table.columns, ReadTypedColumns(*columns, file, "columns"));
  }
  if (const Node* partitions = words.Find("partitions")) {
    TACIT_TRY(table.partitions, ReadTypedColumns(*partitions, file, "partitions"));
  }
  for (const TypedColumn& column : table.columns) {
    for (const TypedColumn& partition : table.partitions) {
      if (!SameName(column.name, partition.name)) continue;
      return ErrorAt(file, words.Find("partitions")->place,
                     "the column " + column.name + " is in the files and in their folders",
                     "name it once");
    }
  }
  if (table.format == FileFormat::kCsv) TACIT_CHECK(ReadCsv(words, file, table));
  return table;
}

}  // namespace

Result<std::vector<FileTable>> ReadFileTables(const Node& node, std::string_view file,
                                              const std::string& folder) {
  if (node.kind != Node::Kind::kMapping || node.entries.empty()) {
    return ErrorAt(file, node.place, "tables of the engine must be a mapping of names and files",
                   std::string("write  tables: {") + kFilesExample + "}");
  }
  std::vector<FileTable> tables;
  for (const auto& [key, value] : node.entries) {
    TACIT_CHECK(CheckName(key, file, "a table's name"));
    FileTable table{.name = key.text, .place = key.place, .files = ""};
    if (value.kind == Node::Kind::kMapping) {
      TACIT_TRY(table, ReadMapping(value, file, folder, std::move(table)));
    } else {
      TACIT_TRY(const std::string files, TextOf(value, file, "the files of " + key.text));
      TACIT_CHECK(ReadFiles(files, value.place, file, folder, table));
    }
    if (table.format == FileFormat::kCsv && table.columns.empty()) {
      return ErrorAt(file, value.place,
                     "the files of " + table.name + " are CSV, which says no types",
                     "write  {files: \"...\", columns: {id: bigint, admitted: date}}");
    }
    for (const FileTable& other : tables) {
      if (SameName(other.name, table.name)) {
        return ErrorAt(file, key.place, "the table " + table.name + " is named twice");
      }
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace tacit::policy::read
