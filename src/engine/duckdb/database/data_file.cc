#include "engine/duckdb/database/data_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "engine/duckdb/database/errors.h"

namespace tacit::engine::duckdb {
namespace {

constexpr uint64_t kPageBytes = 4096;

// A prime: one page after another is another part of the file, and in the end all are looked at.
constexpr uint64_t kStride = 1'000'003;

Error Unreadable(const std::string& why) {
  Error error = EngineUnavailable(why);
  error.public_message = "the data file cannot be read, or was written to since it was opened";
  return error;
}

}  // namespace

Result<std::shared_ptr<const DataFile>> DataFile::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return EngineUnavailable("the data file cannot be opened");
  struct stat opened = {};
  if (::fstat(descriptor, &opened) != 0) {
    ::close(descriptor);
    return EngineUnavailable("the data file cannot be looked at");
  }
  return std::shared_ptr<const DataFile>(new DataFile(descriptor, opened));
}

DataFile::~DataFile() { ::close(descriptor_); }

bool DataFile::CanReadPage(uint64_t page) const {
  const auto offset = static_cast<off_t>(page * kPageBytes);
  // What the kernel holds of a disk that is gone would be read as if it were there.
  ::posix_fadvise(descriptor_, offset, kPageBytes, POSIX_FADV_DONTNEED);
  std::array<char, kPageBytes> bytes;
  ssize_t got = 0;
  do {
    got = ::pread(descriptor_, bytes.data(), bytes.size(), offset);
  } while (got < 0 && errno == EINTR);
  return got > 0;
}

Result<Done> DataFile::Check() const {
  struct stat now = {};
  if (::fstat(descriptor_, &now) != 0) return Unreadable("it cannot be looked at");
  if (now.st_size != opened_.st_size || now.st_mtim.tv_sec != opened_.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != opened_.st_mtim.tv_nsec) {
    return Unreadable("somebody wrote to it");
  }
  const uint64_t pages = std::max<uint64_t>(1, static_cast<uint64_t>(now.st_size) / kPageBytes);
  if (!CanReadPage(pages - 1)) return Unreadable("its last page cannot be read");
  if (!CanReadPage(looked_++ * kStride % pages)) return Unreadable("a page cannot be read");
  return Done{};
}

}  // namespace tacit::engine::duckdb
