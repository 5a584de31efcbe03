#pragma once

#include <string>
#include <string_view>

#include "base/secrets/digest.h"
#include "base/secrets/entropy.h"

namespace tacit::local {

// 128 random bits as 32 hexadecimal digits: the shape of tokens and submission ids.
inline constexpr size_t kNameDigits = 32;
inline std::string RandomName(Entropy& entropy) {
  std::string bytes;
  while (bytes.size() < kNameDigits / 2) {
    const uint64_t word = entropy.NextWord();
    for (size_t j = 0; j < 8; ++j) bytes += static_cast<char>(word >> (8 * j));
  }
  return HexOf(bytes);
}

inline bool IsName(std::string_view text) {
  if (text.size() != kNameDigits) return false;
  for (const char c : text) {
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  }
  return true;
}

}  // namespace tacit::local
