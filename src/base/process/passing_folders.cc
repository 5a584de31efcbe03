#include "base/process/passing_folders.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <vector>

namespace tacit {
namespace {

struct PassingFolders {
  std::mutex mutex;
  std::vector<std::string> paths;
};

// Never destroyed: the thread that ends the program may come last.
PassingFolders& Known() {
  static auto* const known = new PassingFolders();
  return *known;
}

void RemoveAll(const std::string& path) {
  // Why ten times: other threads may still be writing there.
  for (int i = 0; i < 10; ++i) {
    std::error_code failure;
    std::filesystem::remove_all(path, failure);
    if (!failure && !std::filesystem::exists(path, failure)) return;
  }
}

}  // namespace

void AddPassingFolder(const std::string& path) {
  const std::lock_guard lock(Known().mutex);
  Known().paths.push_back(path);
}

void RemovePassingFolder(const std::string& path) {
  const std::lock_guard lock(Known().mutex);
  std::erase(Known().paths, path);
  RemoveAll(path);
}

void RemovePassingFolders() {
  const std::lock_guard lock(Known().mutex);
  for (const std::string& path : Known().paths) RemoveAll(path);
  Known().paths.clear();
}

}  // namespace tacit
