#include "base/numbers/int128.h"

#include <algorithm>

namespace tacit {

std::string ToString(Int128 value) {
  UInt128 rest = Magnitude(value);
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  if (value < 0) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Int128> ParseInt128(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  Int128 value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    // Counted downwards, so that the smallest value, which has no positive twin, can be read.
    const std::optional<Int128> shifted = CheckedMultiply(value, 10);
    if (!shifted) return std::nullopt;
    const std::optional<Int128> next = CheckedSubtract(*shifted, c - '0');
    if (!next) return std::nullopt;
    value = *next;
  }
  return negative ? std::optional(value) : CheckedSubtract(0, value);
}

}  // namespace tacit
