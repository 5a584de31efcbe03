#include "base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tacit {
namespace {

Error Unwritable(const std::string& path) {
  return InvalidArgument("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace

Result<NewFile> NewFile::Create(const std::string& path, unsigned mode) {
  struct stat there = {};
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    return InvalidArgument("cannot write " + path + ": it is there and is no file",
                           "the output takes the name of a file at the end: choose one");
  }
  const std::string fresh = path + ".part" + std::to_string(::getpid());
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0) return Unwritable(path);
  return NewFile(path, fresh, file);
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      fresh_(std::move(other.fresh_)),
      file_(std::exchange(other.file_, -1)) {}

NewFile::~NewFile() {
  if (file_ < 0) return;
  ::close(file_);
  (void)std::remove(fresh_.c_str());
}

Error NewFile::CannotWrite() const { return Unwritable(path_); }

Result<Done> NewFile::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return CannotWrite();
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Done{};
}

Result<Done> NewFile::Finish() {
  if (::fsync(file_) != 0 && errno != EINVAL) return CannotWrite();
  if (::close(std::exchange(file_, -1)) != 0 || std::rename(fresh_.c_str(), path_.c_str()) != 0) {
    const Error error = CannotWrite();
    (void)std::remove(fresh_.c_str());
    return error;
  }
  return Done{};
}

}  // namespace tacit
