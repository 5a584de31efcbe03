#include "ledger/sqlite/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "base/file_guard.h"
#include "ledger/sqlite/tables.h"

namespace tacit::ledger {
namespace {

Error Unavailable(std::string message, std::string hint, std::string detail = "") {
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
      return Unavailable("the ledger " + path + " cannot be reached", "", std::strerror(errno));
    }
    return Unavailable(
        "there is no ledger at " + path,
        "a missing ledger is never replaced by a new one, because that would give "
        "the budget back: put the file back from where it was moved to, or from a backup "
        "(then see: tacit ledger accept --help)");
  }
  if (!S_ISREG(status.st_mode)) return Unavailable("the ledger " + path + " is not a file", "");
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
  return Unavailable("the ledger's folder takes no more", "make room on its disk",
                     std::strerror(why));
}

Result<std::unique_ptr<Database>> Connect(const std::string& path,
                                          const Database::Options& options) {
  TACIT_CHECK(CheckFile(path));
  for (const char* end : {"-wal", "-shm"}) {
    TACIT_CHECK(CheckGuard({.name = "the ledger's log", .path = path + end, .has_one_name = true}));
  }
  TACIT_TRY(std::unique_ptr<Database> database, Database::Open(path, options));
  TACIT_CHECK(CheckFormat(*database));
  TACIT_TRY(Statement mode, database->Prepare("PRAGMA journal_mode"));
  TACIT_TRY(const bool row, mode.Step());
  if (!row || mode.Text(0) != "wal") {
    return Unavailable("the ledger " + path + " is not in write-ahead mode",
                       "another program changed it; run: tacit ledger verify");
  }
  return database;
}

Result<Done> CheckOwner(Database& database) {
  TACIT_TRY(const CheckedBooks checked, LoadBooks(database));
  const std::string& deployment = checked.books->deployment;
  if (deployment == database.key().deployment_id()) return Done{};
  if (deployment.empty()) {
    return Unavailable("the ledger does not say whose it is: it was made by an older version",
                       "if it is this deployment's own, run: tacit ledger accept DIR --reason "
                       "'made by an older version'");
  }
  if (database.key().empty()) {
    return Unavailable("the ledger belongs to a deployment, whose key is needed to open it",
                       "tacit.key is beside the policy");
  }
  return Unavailable(
      "the ledger is not this deployment's: it belongs to another key than the one "
      "that is here",
      "put back the ledger, or tacit.key, that was here before: another ledger "
      "would give the budget back");
}

Result<Done> CheckHead(Database& database, const Head& head) {
  TACIT_TRY(const std::optional<StoredRecord> record, FindRecord(database, head.records));
  if (record && record->hash == head.hash) return Done{};
  TACIT_TRY(const StoredRecord last, LastRecord(database));
  const std::string place = "record " + std::to_string(head.records);
  const std::string what = record ? "its " + place + " is not the one that was acknowledged"
                                  : "it ends at record " + std::to_string(last.sequence) +
                                        ", but " + place + " was acknowledged";
  return Unavailable("the ledger went back: " + what,
                     "was an old copy put in its place, or its -wal file lost? See: tacit ledger "
                     "accept --help");
}

std::string TimeText(const OpenOptions& options) {
  const std::time_t now = options.clock ? options.clock() : std::time(nullptr);
  std::tm parts{};
  if (gmtime_r(&now, &parts) == nullptr) return "";
  char text[64];
  const size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(text, length);
}

}  // namespace tacit::ledger
