#include <filesystem>

#include "policy/read/sections.h"

// The engine that holds the data: where it is, and what it may take of the machine.
namespace tacit::policy::read {
namespace {

using yaml::Node;
using yaml::Words;

// What is kept beside files that stay where they are has names that begin with this.
constexpr char kBesideFiles[] = "data";

Result<EngineSettings> ReadDuckdb(const Node& node, std::string_view file,
                                  const std::string& folder) {
  TACIT_TRY(const Words words,
            Words::Of(node, file, "engine duckdb",
                      {"kind", "path", "tables", "memory_mb", "spill", "spill_mb"}));
  DuckdbSettings duckdb;
  if (const Node* tables = words.Find("tables")) {
    if (words.Has("path")) {
      return words.ErrorHere(
          "path and tables both say where the rows are",
          "leave one of them out; a table of a DuckDB file is FILE.duckdb:TABLE");
    }
    TACIT_TRY(duckdb.tables, ReadFileTables(*tables, file, folder));
    duckdb.path = (std::filesystem::path(folder) / kBesideFiles).string();
  } else {
    TACIT_TRY(duckdb.path, ReadPath(words, "path", "path: data.duckdb", folder));
  }
  // Why 64: the engine itself takes some. Why 2^30: a petabyte is a typing mistake.
  TACIT_TRY(duckdb.memory_mb, words.Whole("memory_mb", 64, int64_t{1} << 30, 0));
  TACIT_TRY(duckdb.spill_mb, words.Whole("spill_mb", 1, int64_t{1} << 30, 0));
  duckdb.spill = folder + "/spill";
  if (words.Has("spill")) {
    TACIT_TRY(duckdb.spill, ReadPath(words, "spill", "spill: spill", folder));
  }
  return EngineSettings(std::move(duckdb));
}

}  // namespace

Result<std::string> ReadPath(const Words& words, std::string_view word, std::string_view example,
                             const std::string& folder) {
  TACIT_TRY(const std::string path, words.NeedText(word, example));
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

Result<EngineSettings> ReadEngine(const Node& node, std::string_view file,
                                  const std::string& folder) {
  TACIT_TRY(const Words any, Words::Of(node, file, "engine",
                                       {"kind", "path", "tables", "memory_mb", "spill", "spill_mb",
                                        "dsn", "password", "url", "catalog", "schema", "prepared",
                                        "user", "ca", "session", "unique"}));
  TACIT_TRY(const int kind, any.NeedChoice("kind", {"duckdb", "postgres", "trino"}));
  if (kind == 0) return ReadDuckdb(node, file, folder);
  if (kind == 2) {
    TACIT_TRY(TrinoSettings trino, ReadTrinoEngine(node, file, folder));
    return EngineSettings(std::move(trino));
  }
  TACIT_TRY(PostgresSettings postgres, ReadPostgresEngine(node, file, folder));
  return EngineSettings(std::move(postgres));
}

}  // namespace tacit::policy::read
