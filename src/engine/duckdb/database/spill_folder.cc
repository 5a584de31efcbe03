#include "engine/duckdb/database/spill_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/process/passing_folders.h"

namespace tacit::engine::duckdb {
namespace {

namespace fs = std::filesystem;

Error CannotSpill(const std::string& path, const std::string& why) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the engine has no folder for what does not fit its memory",
               .hint = path + ": " + why,
               .position = std::nullopt,
               .private_detail = ""};
}

int OpenFolder(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The folder may be configured to be anywhere: nothing is put where others can read it.
Result<Done> MakeParent(const std::string& parent) {
  if (::mkdir(parent.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return CannotSpill(parent, std::strerror(errno));
  }
  struct stat status = {};
  if (::lstat(parent.c_str(), &status) != 0) return CannotSpill(parent, std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) return CannotSpill(parent, "it is not a folder");
  if (status.st_uid != ::geteuid()) return CannotSpill(parent, "it belongs to another user");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return CannotSpill(parent, "others can look into it: chmod 0700");
  }
  return Done{};
}

// Folders whose makers are gone: nobody holds their locks. Only what has the name of one is
// touched.
void RemoveAbandoned(const std::string& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with("engine-")) continue;
    const int folder = OpenFolder(entry.path().string());
    if (folder < 0) continue;
    if (::flock(folder, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), ignored);
    ::close(folder);
  }
}

}  // namespace

Result<std::shared_ptr<const SpillFolder>> SpillFolder::Make(const std::string& parent) {
  TACIT_CHECK(MakeParent(parent));
  RemoveAbandoned(parent);
  // Another process may take a new folder for an abandoned one before it is locked: then it is not
  // there any more, and the next one is tried.
  for (int attempt = 0; attempt < 16; ++attempt) {
    std::string path = parent + "/engine-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return CannotSpill(parent, std::strerror(errno));
    const int lock = OpenFolder(path);
    if (lock < 0) continue;
    struct stat held = {}, named = {};
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0 && ::fstat(lock, &held) == 0 &&
        ::lstat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino) {
      AddPassingFolder(path);
      return std::shared_ptr<const SpillFolder>(new SpillFolder(std::move(path), lock));
    }
    ::close(lock);
  }
  return CannotSpill(parent, "somebody removes its folders");
}

SpillFolder::~SpillFolder() {
  RemovePassingFolder(path_);
  ::close(lock_);
}

int64_t SpillFolder::FreeBytes() const {
  struct statvfs status = {};
  if (::statvfs(path_.c_str(), &status) != 0) return 0;
  return static_cast<int64_t>(status.f_bavail) * static_cast<int64_t>(status.f_frsize);
}

}  // namespace tacit::engine::duckdb
