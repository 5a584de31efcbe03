#include "wire/http/api/credentials.h"

#include <openssl/evp.h>

namespace tacit::wire::http {
namespace {

// Why 1 KiB: names and passwords of people, and room.
constexpr size_t kEncodedBytesMax = 1024;

std::optional<std::string> Decoded(std::string_view text) {
  if (text.empty() || text.size() > kEncodedBytesMax || text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  // OpenSSL counts the padding as zero bytes.
  size_t padding = 0;
  while (padding < 2 && text[text.size() - 1 - padding] == '=') ++padding;
  bytes.resize(static_cast<size_t>(size) - padding);
  return bytes;
}

}  // namespace

std::optional<Credentials> CredentialsOf(std::string_view authorization) {
  constexpr std::string_view kScheme = "Basic ";
  if (authorization.size() < kScheme.size()) return std::nullopt;
  for (size_t i = 0; i < kScheme.size(); ++i) {
    if ((authorization[i] | 0x20) != (kScheme[i] | 0x20)) return std::nullopt;
  }
  const std::optional<std::string> pair = Decoded(authorization.substr(kScheme.size()));
  if (!pair) return std::nullopt;
  const size_t colon = pair->find(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  return Credentials{.analyst = pair->substr(0, colon), .password = pair->substr(colon + 1)};
}

}  // namespace tacit::wire::http
