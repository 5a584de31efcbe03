#pragma once

#include <string>
#include <string_view>

namespace tacit {

// SHA-256 and HMAC-SHA-256: 32 bytes, or 64 hexadecimal digits in lower case. Without memory they
// throw std::bad_alloc.
std::string Sha256(std::string_view bytes);
std::string Sha256Hex(std::string_view bytes);
std::string HmacSha256(std::string_view key, std::string_view text);
std::string HmacSha256Hex(std::string_view key, std::string_view text);

inline constexpr size_t kSha256Bytes = 32;

// Two digits a byte, in lower case.
std::string HexOf(std::string_view bytes);

}  // namespace tacit
