#include "wire/http/api/credentials.h"

#include <openssl/evp.h>

namespace tacit::wire::http {
namespace {

// Why 1 KiB: names and passwords of people, and room.
constexpr size_t kEncodedBytesMax = 1024;

// "name:password", followed by what the padding stood for.
std::optional<SecretBytes> Decoded(std::string_view text, size_t& length) {
  if (text.empty() || text.size() > kEncodedBytesMax || text.size() % 4 != 0) return std::nullopt;
  SecretBytes bytes = SecretBytes::OfSize(text.size() / 4 * 3);
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  // OpenSSL counts the padding as zero bytes.
  size_t padding = 0;
  while (padding < 2 && text[text.size() - 1 - padding] == '=') ++padding;
  length = static_cast<size_t>(size) - padding;
  return bytes;
}

}  // namespace

std::optional<Credentials> CredentialsOf(std::string_view authorization) {
  constexpr std::string_view kScheme = "Basic ";
  if (authorization.size() < kScheme.size()) return std::nullopt;
  for (size_t i = 0; i < kScheme.size(); ++i) {
    if ((authorization[i] | 0x20) != (kScheme[i] | 0x20)) return std::nullopt;
  }
  size_t length = 0;
  const std::optional<SecretBytes> decoded = Decoded(authorization.substr(kScheme.size()), length);
  if (!decoded) return std::nullopt;
  const std::string_view pair = decoded->view().substr(0, length);
  const size_t colon = pair.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  return Credentials{.analyst = std::string(pair.substr(0, colon)),
                     .password = SecretBytes(pair.substr(colon + 1))};
}

}  // namespace tacit::wire::http
