#include "owner/data/exchange.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "engine/duckdb/prepare/prepared_copy.h"
#include "owner/data/change.h"
#include "owner/files.h"
#include "policy/load.h"

namespace tacit::owner {
namespace {

namespace fs = std::filesystem;

// What is not there was moved already, by a run before or beside this one.
Result<Done> MoveIfThere(const std::string& from, const std::string& to) {
  Result<Done> moved = MoveFile(from, to);
  std::error_code ignored;
  if (!moved.ok() && !fs::exists(from, ignored)) return Done{};
  return moved;
}

}  // namespace

Result<Done> BeginExchange(const std::string& ready, const std::string& data_path) {
  TACIT_CHECK(SyncFolder(ready));
  return MoveFile(ready, Exchange::FolderOf(data_path));
}

Result<bool> FinishExchange(const std::string& data_path, const std::string& policy_file) {
  const std::string folder = Exchange::FolderOf(data_path);
  std::error_code failure;
  if (!fs::is_directory(folder, failure)) return false;
  // First of all: it may hold the rows of somebody who shall be gone.
  const std::string copy = engine::duckdb::PreparedPath(data_path);
  for (const std::string& path : {copy + ".manifest", copy}) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return CannotWrite(path);
  }
  TACIT_CHECK(MoveIfThere(folder + "/" + Exchange::kData, data_path));
  TACIT_CHECK(MoveIfThere(folder + "/" + Exchange::kPolicy, policy_file));
  fs::remove(folder, failure);
  return true;
}

Result<policy::Policy> LoadDeployment(const std::string& path) {
  TACIT_TRY(policy::Policy policy, policy::Load(path));
  const auto* duckdb = std::get_if<policy::DuckdbSettings>(&policy.engine);
  if (duckdb == nullptr) return policy;
  TACIT_TRY(const bool finished, FinishExchange(duckdb->path, policy.file));
  return finished ? policy::Load(path) : Result<policy::Policy>(std::move(policy));
}

}  // namespace tacit::owner
