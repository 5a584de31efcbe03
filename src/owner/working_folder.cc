#include "owner/working_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace tacit::owner {

namespace fs = std::filesystem;

Result<WorkingFolder> WorkingFolder::Enter(const std::string& path, const std::string& who) {
  (void)::mkdir(path.c_str(), S_IRWXU);
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    return InvalidArgument("cannot make the folder " + path,
                           "the folder of the database must be writable and have space");
  }
  if (::flock(folder, LOCK_EX | LOCK_NB) != 0) {
    ::close(folder);
    return InvalidArgument("another " + who + " is at work in " + path, "wait until it is done");
  }
  WorkingFolder working_folder(path, folder);
  working_folder.Clear();
  return working_folder;
}

WorkingFolder::~WorkingFolder() {
  if (folder_ < 0) return;
  Clear();
  std::error_code ignored;
  fs::remove(path_, ignored);
  ::close(folder_);
}

void WorkingFolder::Clear() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace tacit::owner
