#include "owner/deployment_key.h"

#include <sys/stat.h>

#include <fstream>

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

Result<std::string> ReadDeploymentKey(const policy::Policy& policy) {
  const std::string path = policy.KeyPath();
  struct stat status = {};
  std::ifstream file(path, std::ios::binary);
  if (!file || ::stat(path.c_str(), &status) != 0) {
    return Unavailable("the deployment's key " + path + " cannot be read",
                       "restore it from a copy: with another key other rows would be kept, and a "
                       "new one is made by tacit init only");
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Unavailable("the deployment's key " + path + " can be read by others",
                       "chmod 600 " + path);
  }
  std::string bytes(kKeyBytes + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.gcount() != static_cast<std::streamsize>(kKeyBytes)) {
    return Unavailable("the deployment's key " + path + " is not 32 bytes long",
                       "restore it from a copy");
  }
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < kKeyBytes; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace tacit::owner
