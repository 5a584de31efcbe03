#pragma once

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/assert.h"

namespace tacit::testing {

// A new folder for its owner alone, under the system's temporary one; it goes away with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tacit-test-XXXXXX").string();
    TACIT_ASSERT(mkdtemp(name.data()) != nullptr);
    path_ = std::filesystem::canonical(name).string();
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

  void Write(const std::string& name, const std::string& bytes, mode_t mode = 0600) const {
    std::ofstream(File(name), std::ios::binary) << bytes;
    TACIT_ASSERT(chmod(File(name).c_str(), mode) == 0);
  }

 private:
  std::string path_;
};

}  // namespace tacit::testing
