#include "owner/deployment_key.h"

#include <fstream>

#include "base/file_guard.h"

namespace tacit::owner {
namespace {

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
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Unavailable("the deployment's key " + path + " cannot be read",
                       "restore it from a copy: with another key other rows would be kept, and a "
                       "new one is made by tacit init only");
  }
  TACIT_CHECK(CheckGuard({.name = "the secret key", .path = path, .has_one_name = true}));
  std::string bytes(kKeyBytes + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.gcount() != static_cast<std::streamsize>(kKeyBytes)) {
    return Unavailable("the deployment's key " + path + " is not 32 bytes long",
                       "restore it from a copy");
  }
  return KeyText(std::string_view(bytes).substr(0, kKeyBytes));
}

std::string KeyText(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace tacit::owner
