#include "base/secrets/digest.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <memory>

#include "base/process/no_memory.h"

namespace tacit {
namespace {

const unsigned char* BytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* BytesOf(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

std::string Sha256(std::string_view bytes) {
  // Fetched once: EVP_sha256() is looked up again in each call, which takes longer than hashing.
  static const EVP_MD* const sha256 = [] {
    const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    OrNoMemory(fetched != nullptr);
    return fetched;
  }();
  std::string digest(kSha256Bytes, '\0');
  unsigned int length = 0;
  OrNoMemory(EVP_Digest(bytes.data(), bytes.size(), BytesOf(digest), &length, sha256, nullptr) ==
                 1 &&
             length == kSha256Bytes);
  return digest;
}

std::string HmacSha256(std::string_view key, std::string_view text) {
  // Fetched once, as for Sha256: a replay waits for it.
  static EVP_MAC* const hmac = [] {
    EVP_MAC* const fetched = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    OrNoMemory(fetched != nullptr);
    return fetched;
  }();
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context(EVP_MAC_CTX_new(hmac),
                                                                          EVP_MAC_CTX_free);
  char digest_name[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name, 0),
      OSSL_PARAM_construct_end()};
  // An empty key is a key: a null pointer would mean the one before.
  const unsigned char* key_bytes = key.empty() ? BytesOf(std::string_view("")) : BytesOf(key);
  std::string digest(kSha256Bytes, '\0');
  size_t length = 0;
  OrNoMemory(context != nullptr &&
             EVP_MAC_init(context.get(), key_bytes, key.size(), parameters) == 1 &&
             EVP_MAC_update(context.get(), BytesOf(text), text.size()) == 1 &&
             EVP_MAC_final(context.get(), BytesOf(digest), &length, digest.size()) == 1 &&
             length == kSha256Bytes);
  return digest;
}

std::string HexOf(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string Sha256Hex(std::string_view bytes) { return HexOf(Sha256(bytes)); }

std::string HmacSha256Hex(std::string_view key, std::string_view text) {
  return HexOf(HmacSha256(key, text));
}

}  // namespace tacit
