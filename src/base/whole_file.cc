#include "base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tacit {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (is_open()) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  // As the system says: 0 for what has none, and it may change while it is read.
  size_t Size() const {
    struct stat status = {};
    const bool known = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    return known ? static_cast<size_t>(status.st_size) : 0;
  }
  // To so many bytes before its end, or to its beginning.
  bool SeekToLast(size_t bytes_max) const {
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    const off_t last = size - std::min(size, static_cast<off_t>(bytes_max));
    return size >= 0 && ::lseek(descriptor_, last, SEEK_SET) == last;
  }
  ssize_t Read(char* into, size_t size) const {
    ssize_t got = -1;
    do {
      got = ::read(descriptor_, into, size);
    } while (got < 0 && errno == EINTR);
    return got;
  }

 private:
  int descriptor_;
};

// From where it stands, `bytes_max` bytes at most.
std::optional<std::string> RestOf(const OpenFile& file, size_t bytes_max) {
  std::string bytes;
  bytes.reserve(std::min(file.Size(), bytes_max));
  char block[16 * 1024];
  while (bytes.size() < bytes_max) {
    const ssize_t got = file.Read(block, std::min(sizeof block, bytes_max - bytes.size()));
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    bytes.append(block, static_cast<size_t>(got));
  }
  return bytes;
}

}  // namespace

std::optional<std::string> WholeFile(const std::string& path, size_t bytes_max) {
  const OpenFile file(path);
  if (!file.is_open()) return std::nullopt;
  return RestOf(file, bytes_max + 1);
}

std::optional<std::string> EndOfFile(const std::string& path, size_t bytes_max) {
  const OpenFile file(path);
  if (!file.is_open() || !file.SeekToLast(bytes_max)) return std::nullopt;
  return RestOf(file, bytes_max);
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace tacit
