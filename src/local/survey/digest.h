#pragma once

#include <openssl/evp.h>

#include <array>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/entropy.h"

namespace tacit::local {

using Digest = std::array<unsigned char, 32>;

inline Digest Sha256(std::string_view text) {
  Digest digest;
  unsigned int size = 0;
  TACIT_ASSERT(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) ==
               1);
  TACIT_ASSERT(size == digest.size());
  return digest;
}

template <class Bytes>
std::string Hex(const Bytes& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

inline std::string Sha256Hex(std::string_view text) { return Hex(Sha256(text)); }

// 128 random bits as 32 hexadecimal digits: the shape of tokens and submission ids.
inline constexpr size_t kNameDigits = 32;
inline std::string RandomName(Entropy& entropy) {
  std::array<unsigned char, kNameDigits / 2> bytes;
  for (size_t i = 0; i < bytes.size(); i += 8) {
    const uint64_t word = entropy.NextWord();
    for (size_t j = 0; j < 8; ++j) bytes[i + j] = static_cast<unsigned char>(word >> (8 * j));
  }
  return Hex(bytes);
}

inline bool IsName(std::string_view text) {
  if (text.size() != kNameDigits) return false;
  for (const char c : text) {
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  }
  return true;
}

}  // namespace tacit::local
