#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace tacit::engine::duckdb {

// Where an open database puts what does not fit its memory: a folder of its own inside `parent`,
// both for this user alone (0700), gone when the last one who uses it lets go. What a killed
// process left in `parent` is removed by the next one that makes a folder there; a folder in use is
// locked, and stays.
class SpillFolder {
 public:
  // kUnavailable when it cannot be made, or when `parent` is there and open to others.
  static Result<std::shared_ptr<const SpillFolder>> Make(const std::string& parent);
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;
  ~SpillFolder();

  const std::string& path() const { return path_; }
  // Of the file system that it is on.
  int64_t FreeBytes() const;

 private:
  SpillFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;
};

}  // namespace tacit::engine::duckdb
