#include "owner/keys/guarded_files.h"

#include <filesystem>
#include <set>

#include "engine/duckdb/prepare/prepared_copy.h"

namespace tacit::owner {
namespace {

std::string FolderOf(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().parent_path().string();
}

}  // namespace

std::vector<FileGuard> GuardedFilesOf(const policy::Policy& policy) {
  std::vector<FileGuard> files;
  std::set<std::string> folders = {policy.folder};
  const auto add_secret = [&](const char* name, const std::string& path, bool has_one_name) {
    files.push_back({.name = name, .path = path, .has_one_name = has_one_name});
    folders.insert(FolderOf(path));
  };
  add_secret("the secret key", policy.KeyPath(), true);
  if (const auto* ledger = std::get_if<policy::SqliteLedger>(&policy.ledger)) {
    add_secret("the ledger", ledger->path, true);
    add_secret("the ledger's head file", ledger->path + "-head", true);
    for (const char* end : {"-wal", "-shm"}) {
      add_secret("the ledger's log", ledger->path + end, true);
    }
    if (!ledger->witness.empty()) add_secret("the ledger's witness", ledger->witness, true);
    add_secret("the questions that were charged", ledger->path + "-questions", false);
  }
  if (const auto* ledger = std::get_if<policy::PostgresLedger>(&policy.ledger)) {
    add_secret("the ledger's head file", ledger->path + "-head", true);
    add_secret("the questions that were charged", ledger->path + "-questions", false);
  }
  if (const auto* engine = std::get_if<policy::DuckdbSettings>(&policy.engine)) {
    const std::string copy = engine::duckdb::PreparedPath(engine->path);
    add_secret("the database", engine->path, false);
    add_secret("the database's log", engine->path + ".wal", false);
    add_secret("the prepared copy", copy, false);
    add_secret("the prepared copy's manifest", copy + ".manifest", false);
    files.push_back({.name = "the database's catalog",
                     .path = engine->path + "-catalog",
                     .others_may_read = true});
    for (const char* end : {"-checked", "-verified"}) {
      files.push_back(
          {.name = "what was found in order", .path = engine->path + end, .others_may_read = true});
    }
  }
  add_secret("the folder of kept answers", policy.folder + "/answers", false);
  files.push_back({.name = "the policy", .path = policy.file, .others_may_read = true});
  for (const std::string& folder : folders) {
    files.push_back({.name = "the folder", .path = folder, .others_may_read = true});
  }
  return files;
}

Result<Done> CheckGuardedFiles(const policy::Policy& policy) {
  for (const FileGuard& file : GuardedFilesOf(policy)) TACIT_CHECK(CheckGuard(file));
  return Done{};
}

}  // namespace tacit::owner
