#include "ledger/chain/head_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/secrets/file_guard.h"
#include "ledger/record/record.h"

namespace tacit::ledger {
namespace {

Error HeadError(std::string what, std::string hint = "") {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the ledger's head file " + std::move(what),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = std::strerror(errno)};
}

// "tacit-head 2 00000000000000000017 <hash> <check>\n": always the same length, so that writing it
// again changes one disk sector in place and no metadata. 1: without a key.
constexpr size_t kCheckDigits = 16;
constexpr size_t kTextBytes = 13 + 20 + 1 + 64 + 1 + kCheckDigits + 1;

std::string TextOf(const Head& head, const OwnerKey& key) {
  char start[48];
  std::snprintf(start, sizeof start, "tacit-head %d %020lld ", key.empty() ? 1 : 2,
                static_cast<long long>(head.records));
  const std::string text = start + head.hash;
  return text + " " + key.HeadHash(text).substr(0, kCheckDigits) + "\n";
}

Result<Head> ReadLocked(int descriptor, const OwnerKey& key) {
  char text[kTextBytes + 1];
  const ssize_t length = pread(descriptor, text, sizeof text, 0);
  if (length < 0) return HeadError("cannot be read");
  const std::string all(text, static_cast<size_t>(length));
  Head head;
  if (all.size() == kTextBytes) {
    head.records = std::strtoll(all.substr(13, 20).c_str(), nullptr, 10);
    head.hash = all.substr(34, 64);
  }
  if (all.size() != kTextBytes || TextOf(head, key) != all) {
    errno = 0;
    return HeadError("is damaged, or another deployment's", "see: tacit ledger accept --help");
  }
  return head;
}

class FileLock {
 public:
  FileLock(int descriptor, int operation) : descriptor_(descriptor) {
    while ((held_ = flock(descriptor, operation) == 0) == false && errno == EINTR) {
    }
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() {
    if (held_) flock(descriptor_, LOCK_UN);
  }
  bool held() const { return held_; }

 private:
  int descriptor_;
  bool held_ = false;
};

}  // namespace

Result<Done> HeadFile::Create(const std::string& path, const Head& head, const OwnerKey& key) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return HeadError("cannot be made");
  const std::string text = TextOf(head, key);
  const bool written =
      fchmod(descriptor, S_IRUSR | S_IWUSR) == 0 &&  // whatever the umask
      write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      fsync(descriptor) == 0;
  if (close(descriptor) != 0 || !written) {
    unlink(path.c_str());
    return HeadError("cannot be written");
  }
  return Done{};
}

Result<HeadFile> HeadFile::Open(const std::string& path) {
  TACIT_CHECK(CheckGuard({.name = "the ledger's head file", .path = path, .has_one_name = true}));
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) {
    return HeadError("is missing: " + path,
                     "without it a ledger that lost its last records cannot be told from a whole "
                     "one; see: tacit ledger accept --help");
  }
  if (descriptor < 0) return HeadError("cannot be opened: " + path);
  return HeadFile(descriptor, path);
}

HeadFile::HeadFile(HeadFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

HeadFile::~HeadFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<Head> HeadFile::Read(const OwnerKey& key) const {
  const FileLock lock(descriptor_, LOCK_SH);
  if (!lock.held()) return HeadError("cannot be locked");
  return ReadLocked(descriptor_, key);
}

Result<Done> HeadFile::CheckPlace() const {
  struct stat here {};
  struct stat there {};
  if (fstat(descriptor_, &here) != 0) return HeadError("cannot be read");
  if (stat(path_.c_str(), &there) != 0 || here.st_ino != there.st_ino ||
      here.st_dev != there.st_dev) {
    return HeadError("is not the one that was opened: " + path_,
                     "it was removed or replaced under the running program; start it again");
  }
  return CheckGuard({.name = "the ledger's head file", .path = path_, .has_one_name = true}, there);
}

Result<Done> HeadFile::Advance(const Head& head, const OwnerKey& key) const {
  const FileLock lock(descriptor_, LOCK_EX);
  if (!lock.held()) return HeadError("cannot be locked");
  TACIT_TRY(const Head known, ReadLocked(descriptor_, key));
  if (known.records >= head.records) return Done{};
  const std::string text = TextOf(head, key);
  if (pwrite(descriptor_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    return HeadError("cannot be written");
  }
  return CheckPlace();  // removed meanwhile, it remembers nothing
}

}  // namespace tacit::ledger
