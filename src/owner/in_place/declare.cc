#include "owner/in_place/declare.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "engine/duckdb/files/file_views.h"
#include "engine/duckdb/files/find_files.h"
#include "engine/duckdb/values/read_schema.h"
#include "owner/in_place/same_columns.h"
#include "policy/edit.h"
#include "policy/read/sections.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;
using policy::FileTable;

// Values of each folder NAME=VALUE that stands on the way to every file and not in the pattern.
using FolderValues = std::map<std::string, std::set<std::string>>;

FolderValues FoldersOf(const std::string& pattern, const std::vector<std::string>& paths) {
  FolderValues values;
  std::map<std::string, size_t> files;
  for (const std::string& path : paths) {
    std::set<std::string> seen;
    for (const fs::path& part : fs::path(path).parent_path()) {
      const std::string name = part.string();
      const size_t equals = name.find('=');
      if (equals == 0 || equals == std::string::npos) continue;
      if (pattern.find("/" + name + "/") != std::string::npos) continue;
      values[name.substr(0, equals)].insert(name.substr(equals + 1));
      seen.insert(name.substr(0, equals));
    }
    for (const std::string& name : seen) ++files[name];
  }
  std::erase_if(values, [&](const auto& folder) { return files[folder.first] != paths.size(); });
  return values;
}

bool IsWholeNumber(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() <= 18 &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits && (text == "0" || text[0] != '0');
}

// 2024-05-17; whether there is such a day, the engine says.
bool LooksLikeDay(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  return std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) == 8;
}

std::string TypeOfFolders(const std::set<std::string>& values) {
  const auto all = [&](bool (*is)(const std::string&)) {
    return std::all_of(values.begin(), values.end(), [is](const std::string& value) {
      return value == "__HIVE_DEFAULT_PARTITION__" || is(value);
    });
  };
  return all(IsWholeNumber) ? "bigint" : all(LooksLikeDay) ? "date" : "text";
}

// Through the reader of the policy, so that both understand files alike.
Result<FileTable> ReadDeclared(const TableFile& source) {
  using policy::yaml::Node;
  constexpr std::string_view kFlag = "--table";
  Node name{.kind = Node::Kind::kScalar, .place = {}, .text = source.table};
  Node file{.kind = Node::Kind::kScalar, .place = {}, .text = source.file};
  Node tables{.kind = Node::Kind::kMapping, .place = {}};
  tables.entries.emplace_back(std::move(name), std::move(file));
  std::error_code failure;
  Result<std::vector<FileTable>> read =
      policy::read::ReadFileTables(tables, kFlag, fs::current_path(failure).string());
  if (read.ok()) return read->at(0);
  Error error = read.error();
  // There is no line to speak of.
  const std::string place = std::string(kFlag) + ":0:0: ";
  if (error.public_message.starts_with(place)) error.public_message.erase(0, place.size());
  return error;
}

Result<FileTable> DeclareTable(const TableFile& source) {
  const std::string file = policy::FoldedName(source.file);
  for (const char* ending : {".csv", ".tsv", ".csv.gz", ".tsv.gz"}) {
    if (!file.ends_with(ending)) continue;
    return InvalidArgument("the file " + source.file + " is CSV, which says no types",
                           "import it, without --in-place; or write its columns into the policy, "
                           "as docs/files_in_place.md shows");
  }
  TACIT_TRY(FileTable table, ReadDeclared(source));
  TACIT_TRY(const std::vector<std::string> paths, engine::duckdb::FindFiles(table.files));
  if (table.format == FileTable::Format::kDuckdb) return table;
  for (const auto& [name, values] : FoldersOf(table.files, paths)) {
    table.partitions.push_back({.name = name, .type = TypeOfFolders(values)});
  }
  return table;
}

}  // namespace

Result<DeclaredFiles> DeclareFiles(const std::vector<TableFile>& sources) {
  using engine::duckdb::Database;
  using engine::duckdb::FoundTables;
  DeclaredFiles declared;
  policy::DuckdbSettings data;
  for (const TableFile& source : sources) {
    TACIT_TRY(data.tables.emplace_back(), DeclareTable(source));
    for (const policy::TypedColumn& folder : data.tables.back().partitions) {
      declared.notes.push_back(source.table + ": the folders " + folder.name +
                               "=... are a column of type " + folder.type);
    }
  }
  TACIT_TRY(FoundTables tables, FoundTables::Find(data));
  const auto found = std::make_shared<const FoundTables>(std::move(tables));
  TACIT_TRY(const Database database, Database::OpenFiles(found, {}));
  TACIT_TRY(engine::duckdb::Connection connection, database.Connect());
  TACIT_CHECK(CheckSameColumns(*found, connection));
  TACIT_TRY(declared.schema, engine::duckdb::ReadSchema(connection));
  declared.tables = std::move(data.tables);
  return declared;
}

std::string EngineSection(const std::vector<FileTable>& tables) {
  std::string text =
      "engine:\n  kind: duckdb\n  # Read where they are; tacit prepare makes a copy that questions "
      "are faster on.\n  tables:\n";
  for (const FileTable& table : tables) {
    std::string files = table.files;
    if (table.format == FileTable::Format::kDuckdb) files += ":" + table.stored_name;
    text += "    " + policy::YamlText(table.name) + ": ";
    if (table.partitions.empty()) {
      text += policy::YamlText(files) + "\n";
      continue;
    }
    text += "{files: " + policy::YamlText(files) + ", partitions: {";
    for (size_t i = 0; i < table.partitions.size(); ++i) {
      text += (i == 0 ? "" : ", ") + policy::YamlText(table.partitions[i].name) + ": " +
              table.partitions[i].type;
    }
    text += "}}\n";
  }
  return text;
}

}  // namespace tacit::owner
