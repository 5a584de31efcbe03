#include "engine/duckdb/database/file_identity.h"

namespace tacit::engine::duckdb {

std::string IdentityOf(const struct stat& status) {
  const auto instant = [](const timespec& time) {
    return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
  };
  return std::to_string(status.st_dev) + " " + std::to_string(status.st_ino) + " " +
         std::to_string(status.st_size) + " " + instant(status.st_mtim) + " " +
         instant(status.st_ctim);
}

std::optional<std::string> FileIdentity(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  std::string identity = IdentityOf(status);
  // A writer that did not close cleanly leaves its changes in the log alone.
  if (::stat((path + ".wal").c_str(), &status) == 0) identity += " wal " + IdentityOf(status);
  return identity;
}

}  // namespace tacit::engine::duckdb
