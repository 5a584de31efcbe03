#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace tacit::engine::duckdb {

// The file of a database that is open read only, looked at from the side: the engine answers from
// what it holds in memory long after the file can no longer be read. Nothing that is read here is
// kept.
class DataFile {
 public:
  // kUnavailable when there is no such file, or it cannot be read.
  static Result<std::shared_ptr<const DataFile>> Open(const std::string& path);
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;
  ~DataFile();

  // Whether nobody has written to the file since it was opened, and its last page and one other, a
  // different one each time, can be read from the disk: two pages, whatever its length. What it
  // says depends on the disk and on who wrote when, never on what is stored.
  Result<Done> Check() const;

 private:
  DataFile(int descriptor, const struct stat& opened) : descriptor_(descriptor), opened_(opened) {}
  bool CanReadPage(uint64_t page) const;

  int descriptor_;
  struct stat opened_;
  mutable std::atomic<uint64_t> looked_{0};
};

}  // namespace tacit::engine::duckdb
