#include "owner/deployment_key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tacit::owner {
namespace {

constexpr size_t kKeyBytes = 32;

Error Unavailable(std::string message, std::string hint) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = std::move(message),
               .hint = std::move(hint),
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

Result<SecretBytes> ReadDeploymentKey(const policy::Policy& policy) {
  const std::string path = policy.KeyPath();
  struct stat status = {};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || ::fstat(file, &status) != 0) {
    if (file >= 0) ::close(file);
    return Unavailable("the deployment's key " + path + " cannot be read",
                       "restore it from a copy: with another key other rows would be kept, and a "
                       "new one is made by tacit init only");
  }
  // Straight into memory of its own: a stream would leave a copy in its buffer.
  SecretBytes bytes = SecretBytes::OfSize(kKeyBytes + 1);
  const ssize_t read = ::read(file, bytes.data(), bytes.size());
  ::close(file);
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Unavailable("the deployment's key " + path + " can be read by others",
                       "chmod 600 " + path);
  }
  if (read != static_cast<ssize_t>(kKeyBytes)) {
    return Unavailable("the deployment's key " + path + " is not 32 bytes long",
                       "restore it from a copy");
  }
  constexpr char kDigits[] = "0123456789abcdef";
  SecretBytes text = SecretBytes::OfSize(2 * kKeyBytes);
  for (size_t i = 0; i < kKeyBytes; ++i) {
    const auto byte = static_cast<unsigned char>(bytes.data()[i]);
    text.data()[2 * i] = kDigits[byte >> 4];
    text.data()[2 * i + 1] = kDigits[byte & 15];
  }
  return text;
}

}  // namespace tacit::owner
