#include "base/secrets/file_guard.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/quoted.h"

namespace tacit {
namespace {

Error Unguarded(const FileGuard& guard, const std::string& what, std::string hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = guard.name + " " + guard.path + " " + what,
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

Result<Done> CheckGuard(const FileGuard& guard, const struct stat& status) {
  const std::string path = ShellQuoted(guard.path);
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return Unguarded(
        guard, "belongs to another user",
        "run this program as that user, or: chown " + std::to_string(::geteuid()) + " " + path);
  }
  const mode_t mode = status.st_mode;
  if (guard.others_may_read) {
    if ((mode & (S_IWGRP | S_IWOTH)) != 0) {
      return Unguarded(guard, "can be written by others", "run: chmod go-w " + path);
    }
  } else if ((mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Unguarded(guard, "can be read or written by others",
                     (S_ISDIR(mode) ? "run: chmod 700 " : "run: chmod 600 ") + path);
  }
  if (guard.has_one_name && status.st_nlink > 1) {
    return Unguarded(guard, "has a second name, through which it could be changed unseen",
                     "find it and remove it: find / -xdev -samefile " + path);
  }
  return Done{};
}

Result<Done> CheckGuard(const FileGuard& guard) {
  struct stat status {};
  if (::stat(guard.path.c_str(), &status) == 0) return CheckGuard(guard, status);
  if (errno == ENOENT) return Done{};
  return Unguarded(guard, std::string("cannot be reached: ") + std::strerror(errno),
                   "this program must be able to read it");
}

}  // namespace tacit
