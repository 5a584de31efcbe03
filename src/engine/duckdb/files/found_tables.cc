#include "engine/duckdb/files/found_tables.h"

#include <algorithm>
#include <filesystem>

#include "base/secrets/digest.h"
#include "engine/duckdb/database/file_identity.h"
#include "engine/duckdb/files/find_files.h"

namespace tacit::engine::duckdb {
namespace {

using policy::FileTable;
using policy::TypedColumn;

// Changes when the same files are read in another way.
constexpr char kFilesFormat[] = "tacit files 1";

// Fields with their lengths in front: no two lists write the same bytes.
void WriteField(std::string& bytes, const std::string& field) {
  bytes += std::to_string(field.size()) + ":" + field;
}

void WriteField(std::string& bytes, const std::vector<TypedColumn>& columns) {
  WriteField(bytes, std::to_string(columns.size()));
  for (const TypedColumn& column : columns) {
    WriteField(bytes, column.name);
    WriteField(bytes, column.type);
  }
}

void WriteField(std::string& bytes, const FileTable& table) {
  WriteField(bytes, table.name);
  WriteField(bytes, std::to_string(static_cast<int>(table.format)));
  WriteField(bytes, table.stored_name);
  WriteField(bytes, table.columns);
  WriteField(bytes, table.partitions);
  WriteField(bytes, std::string(1, table.delimiter));
  WriteField(bytes, std::to_string(table.nulls.size()));
  for (const std::string& text : table.nulls) WriteField(bytes, text);
}

// A folder year=2024 on the way to the file, for each partition that is declared, once.
Result<Done> CheckFolders(const FileTable& table, const std::string& path) {
  const std::filesystem::path folders = std::filesystem::path(path).parent_path();
  for (const TypedColumn& partition : table.partitions) {
    size_t found = 0;
    for (const std::filesystem::path& part : folders) {
      const std::string name = part.string();
      const size_t equals = name.find('=');
      if (equals == std::string::npos) continue;
      found += name.substr(0, equals) == partition.name ? 1 : 0;
    }
    if (found == 1) continue;
    return InvalidArgument("the file " + path + " of table " + table.name + " stands in " +
                               (found == 0 ? "no folder" : "several folders") + " called " +
                               partition.name + "=...",
                           "move it, or correct partitions in the policy");
  }
  return Done{};
}

Error FilesChanged(const std::string& path) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the files of the data have changed since they were opened",
               .hint = "the owner has to have them read again: restart or reload the server",
               .position = std::nullopt,
               .private_detail = path};
}

}  // namespace

Result<FoundTables> FoundTables::Find(const policy::DuckdbSettings& data) {
  FoundTables found;
  std::string bytes = kFilesFormat;
  for (const FileTable& declared : data.tables) {
    TACIT_TRY(const std::vector<std::string> paths, FindFiles(declared.files));
    FoundTable table{.declared = declared, .files = {}};
    WriteField(bytes, declared);
    WriteField(bytes, std::to_string(paths.size()));
    for (const std::string& path : paths) {
      TACIT_CHECK(CheckFolders(declared, path));
      const std::optional<std::string> identity = FileIdentity(path);
      if (!identity) return FilesChanged(path);
      WriteField(bytes, path);
      WriteField(bytes, *identity);
      table.files.push_back({.path = path, .identity = *identity});
    }
    found.tables_.push_back(std::move(table));
  }
  found.identity_ = Sha256Hex(bytes);
  return found;
}

Result<Done> FoundTables::CheckUnchanged() const {
  for (const FoundTable& table : tables_) {
    for (const FoundFile& file : table.files) {
      if (FileIdentity(file.path) != file.identity) return FilesChanged(file.path);
    }
  }
  return Done{};
}

std::optional<std::string> IdentityOfData(const policy::Policy& policy, const std::string& path) {
  const auto* data = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (data == nullptr || !data->ReadsFiles()) return FileIdentity(path);
  const Result<FoundTables> found = FoundTables::Find(*data);
  return found.ok() ? std::optional(found->identity()) : std::nullopt;
}

}  // namespace tacit::engine::duckdb
