#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace tacit::owner {

// A folder beside the database where something is built until it is complete, for the owner alone
// and held by one process at a time. What a killed run left in it is removed by the next.
class WorkingFolder {
 public:
  // kInvalidArgument while another process is at work there. `who` is what they are, in that error.
  static Result<WorkingFolder> Enter(const std::string& path, const std::string& who);
  WorkingFolder(WorkingFolder&& other) noexcept
      : path_(std::move(other.path_)), folder_(std::exchange(other.folder_, -1)) {}
  WorkingFolder& operator=(WorkingFolder&&) = delete;
  ~WorkingFolder();

  const std::string& path() const { return path_; }
  std::string FileNamed(const std::string& name) const { return path_ + "/" + name; }

 private:
  WorkingFolder(std::string path, int folder) : path_(std::move(path)), folder_(folder) {}
  void Clear() const;

  std::string path_;
  int folder_;
};

}  // namespace tacit::owner
