#include "owner/keys/deployment_key.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/secrets/file_guard.h"

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

Result<SecretBytes> ReadDeploymentKey(const policy::Policy& policy) {
  const std::string path = policy.KeyPath();
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return Unavailable(
        "the deployment's key " + path + " cannot be read",
        "restore it from a copy: with another key other rows would be kept. In a folder "
        "that tacit init has not made there is none: tacit init NEW --table "
        "NAME=FILE --unit NAME.COLUMN makes one");
  }
  // Straight into memory of its own: a stream would leave a copy in its buffer.
  SecretBytes bytes = SecretBytes::OfSize(kKeyBytes + 1);
  const ssize_t read = ::read(file, bytes.data(), bytes.size());
  ::close(file);
  TACIT_CHECK(CheckGuard({.name = "the secret key", .path = path, .has_one_name = true}));
  if (read != static_cast<ssize_t>(kKeyBytes)) {
    return Unavailable("the deployment's key " + path + " is not 32 bytes long",
                       "restore it from a copy");
  }
  return KeyText(bytes.view().substr(0, kKeyBytes));
}

SecretBytes KeyText(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  SecretBytes text = SecretBytes::OfSize(2 * bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text.data()[2 * i] = kDigits[byte >> 4];
    text.data()[2 * i + 1] = kDigits[byte & 15];
  }
  return text;
}

}  // namespace tacit::owner
