#include "policy/read/secret.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace tacit::policy::read {
namespace {

// Why 4 KiB: a verifier has 133 bytes.
constexpr size_t kSecretBytesMax = 4096;

struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

Result<std::string> ReadFile(const std::string& path, bool must_be_private) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status = {};
  if (file.number < 0 || ::fstat(file.number, &status) != 0 || !S_ISREG(status.st_mode)) {
    return InvalidArgument("the secret in " + path + " cannot be read",
                           "it is a file of one line, readable by the server's user");
  }
  if (must_be_private && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return InvalidArgument("the secret in " + path + " can be read by others", "chmod 600 " + path);
  }
  std::string bytes(kSecretBytesMax, '\0');
  const ssize_t count = ::read(file.number, bytes.data(), bytes.size());
  if (count < 0) return InvalidArgument("the secret in " + path + " cannot be read");
  bytes.resize(static_cast<size_t>(count));
  return bytes.substr(0, bytes.find_first_of("\r\n"));
}

}  // namespace

Result<std::string> ReadSecret(const std::string& text, const std::string& folder) {
  if (text.starts_with("file:")) {
    return ReadFile((std::filesystem::path(folder) / text.substr(5)).string(), true);
  }
  if (text.starts_with("env:")) {
    const char* value = std::getenv(text.substr(4).c_str());
    if (value != nullptr) return std::string(value);
    return InvalidArgument("the environment has no " + text.substr(4));
  }
  if (text.starts_with("credential:")) {
    const char* place = std::getenv("CREDENTIALS_DIRECTORY");
    const std::string name = text.substr(11);
    if (place == nullptr || name.empty() || name.find('/') != std::string::npos) {
      return InvalidArgument("there is no credential " + name,
                             "LoadCredential=" + name + ":/path in the systemd unit");
    }
    return ReadFile((std::filesystem::path(place) / name).string(), false);
  }
  return text;
}

}  // namespace tacit::policy::read
