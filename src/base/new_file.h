#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tacit {

// A file that appears whole or not at all: bytes go to a new file beside it, which takes the name
// only in Finish, after it is on the disk. Without Finish nothing is left behind.
class NewFile {
 public:
  // What stands at the path already must be a file: a device or a folder would be replaced by it.
  // `mode` is the new file's, whatever an old one had.
  static Result<NewFile> Create(const std::string& path, unsigned mode = 0644);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  Result<Done> Write(std::string_view bytes);
  Result<Done> Finish();

 private:
  NewFile(std::string path, std::string fresh, int file)
      : path_(std::move(path)), fresh_(std::move(fresh)), file_(file) {}
  Error CannotWrite() const;

  std::string path_;
  std::string fresh_;
  int file_ = -1;
};

}  // namespace tacit
