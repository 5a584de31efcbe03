#include "owner/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace tacit::owner {

Error CannotWrite(const std::string& path) {
  return InvalidArgument("cannot write " + path + ": " + std::strerror(errno),
                         "choose a folder on a disk with space that you may write to");
}

Result<Done> WriteNewFile(const std::string& path, std::string_view bytes, mode_t mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) return CannotWrite(path);
  bool good = ::fchmod(file, mode) == 0;  // whatever the umask
  while (good && !bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    good = written > 0 || (written < 0 && errno == EINTR);
    if (written > 0) bytes.remove_prefix(static_cast<size_t>(written));
  }
  good = good && ::fsync(file) == 0;
  const int failure = errno;
  ::close(file);
  errno = failure;
  if (!good) return CannotWrite(path);
  return Done{};
}

namespace {

Result<Done> Sync(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return CannotWrite(path);
  const bool good = ::fsync(file) == 0;
  ::close(file);
  if (!good) return CannotWrite(path);
  return Done{};
}

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Result<Done> SyncFile(const std::string& path) { return Sync(path, O_RDONLY); }
Result<Done> SyncFolder(const std::string& path) { return Sync(path, O_RDONLY | O_DIRECTORY); }

Result<Done> MoveFile(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return CannotWrite(to);
  return SyncFolder(FolderOf(to));
}

Result<Done> ReplaceFile(const std::string& path, std::string_view bytes) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return CannotWrite(path);
  const std::string fresh = path + ".new";
  ::unlink(fresh.c_str());  // of a run that was killed
  TACIT_CHECK(WriteNewFile(fresh, bytes, status.st_mode & 07777));
  // Who edits as root must not take the file away from its user.
  if (::geteuid() == 0 && ::chown(fresh.c_str(), status.st_uid, status.st_gid) != 0) {
    return CannotWrite(fresh);
  }
  return MoveFile(fresh, path);
}

}  // namespace tacit::owner
