#include "ledger/sqlite/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/secrets/file_guard.h"

namespace tacit::ledger {
namespace {

Error NoFile(std::string message, std::string hint, std::string detail = "") {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = std::move(detail)};
}

}  // namespace

Result<FileIdentity> CheckFile(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) {
      return NoFile("the ledger " + path + " cannot be reached", "", std::strerror(errno));
    }
    return NoFile("there is no ledger at " + path,
                  "a missing ledger is never replaced by a new one, because that would give "
                  "the budget back: put the file back from where it was moved to, or from a backup "
                  "(then see: tacit ledger accept --help)");
  }
  if (!S_ISREG(status.st_mode)) return NoFile("the ledger " + path + " is not a file", "");
  TACIT_CHECK(CheckGuard({.name = "the ledger", .path = path, .has_one_name = true}, status));
  return FileIdentity{.device = status.st_dev, .inode = status.st_ino};
}

Result<Done> CheckRoomBeside(const std::string& path) {
  // Why 256 KiB: several times the pages of the largest usual charge and its answer.
  static constexpr char kBlock[64 * 1024] = {};
  constexpr int kBlocks = 4;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC,
                          S_IRUSR | S_IWUSR);
  // A file system without nameless files: the ledger's own write has to tell.
  if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) return Done{};
  bool written = file >= 0;
  for (int i = 0; i < kBlocks && written; ++i) {
    written = ::write(file, kBlock, sizeof kBlock) == static_cast<ssize_t>(sizeof kBlock);
  }
  const int why = errno;
  if (file >= 0) ::close(file);
  if (written) return Done{};
  return NoFile("the ledger's folder takes no more", "make room on its disk", std::strerror(why));
}

}  // namespace tacit::ledger
