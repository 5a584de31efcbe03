#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/secrets/entropy.h"
#include "ledger/sqlite/connection.h"
#include "ledger/sqlite/storage.h"

namespace tacit::ledger {
namespace {

Error CannotCreate(const std::string& path, const std::string& why, const std::string& hint = "") {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger " + path + " cannot be made: " + why,
               .hint = hint,
               .position = std::nullopt,
               .private_detail = std::strerror(errno)};
}

std::string RandomName() {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(Entropy::ForThisThread().NextWord()));
  return text;
}

bool Exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

// A file that is removed again unless all went well, with what SQLite puts beside it.
struct Scratch {
  std::string path;
  explicit Scratch(std::string scratch_path) : path(std::move(scratch_path)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    for (const char* end : {"", "-wal", "-shm", "-journal"}) unlink((path + end).c_str());
  }
};

bool SyncFolderOf(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool synced = fsync(descriptor) == 0;
  return close(descriptor) == 0 && synced;
}

// Fills the new file; the log is moved into it before it closes.
Result<Done> Fill(const std::string& path, const std::string& vfs, const Addition& first) {
  SqliteDatabase::Options how;
  how.vfs = vfs;
  TACIT_TRY(std::unique_ptr<SqliteDatabase> database, SqliteDatabase::Open(path, how));
  TACIT_CHECK(database->Execute("PRAGMA journal_mode = WAL"));
  SqliteConnection connection(std::move(database));
  TACIT_CHECK(connection.Begin(StorageConnection::Access::kWrite));
  TACIT_CHECK(connection.MakeTables());
  TACIT_CHECK(connection.Append(first));
  TACIT_CHECK(connection.Commit());
  return connection.database().Execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace

Result<Done> SqliteStorage::Create(const std::string& path, const std::string& vfs,
                                   const Addition& first, const OwnerKey& key) {
  if (Exists(path)) {
    return CannotCreate(path, "there is one already",
                        "a ledger is never replaced: its budget is spent for good");
  }
  const std::string head_path = HeadFile::PathOf(path);
  const auto head_in_the_way = [&] {
    return CannotCreate(path, head_path + " belongs to a ledger that was here before",
                        "put that ledger back; remove the file only if there never was one");
  };
  if (Exists(head_path)) return head_in_the_way();

  // Made whole under another name, then linked: nobody ever sees half a ledger, and link(2) never
  // replaces one.
  const Scratch scratch(path + ".new-" + RandomName().substr(0, 12));
  const int descriptor = open(scratch.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return CannotCreate(path, "the folder cannot be written");
  const bool guarded = fchmod(descriptor, S_IRUSR | S_IWUSR) == 0;  // whatever the umask
  close(descriptor);
  if (!guarded) return CannotCreate(path, "its mode cannot be set");
  TACIT_CHECK(Fill(scratch.path, vfs, first));
  const Head head{.records = first.records.back().sequence, .hash = first.records.back().hash};
  const Scratch scratch_head(scratch.path + "-head");
  TACIT_CHECK(HeadFile::Create(scratch_head.path, head, key));
  if (link(scratch_head.path.c_str(), head_path.c_str()) != 0) {
    if (errno == EEXIST) return head_in_the_way();
    return CannotCreate(path, "the folder cannot be written");
  }
  if (link(scratch.path.c_str(), path.c_str()) != 0) {
    const bool exists = errno == EEXIST;
    unlink(head_path.c_str());
    return CannotCreate(path, exists ? "there is one already" : "the folder cannot be written");
  }
  if (!SyncFolderOf(path)) return CannotCreate(path, "the folder cannot be synced");
  return Done{};
}

}  // namespace tacit::ledger
