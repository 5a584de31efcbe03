#include "gateway/kept/small_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/whole_file.h"

namespace tacit::gateway {

std::optional<std::string> ReadSmallFile(const std::string& path) { return WholeFile(path); }

void WriteSmallFile(const std::string& path, const std::string& bytes) {
  const std::string fresh = path + "." + std::to_string(::getpid());
  const int file =
      ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return;
  const bool good = ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  ::close(file);
  if (!good || std::rename(fresh.c_str(), path.c_str()) != 0) (void)std::remove(fresh.c_str());
}

}  // namespace tacit::gateway
