#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tacit {

// Exact sums are 128-bit integers on a public grid: 2^64 rows of 2^62 grid steps fit without
// overflow.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

inline constexpr Int128 kInt128Max = static_cast<Int128>(~UInt128{0} >> 1);
inline constexpr Int128 kInt128Min = -kInt128Max - 1;

// Checked arithmetic: nothing when the true result does not fit.
constexpr std::optional<Int128> CheckedAdd(Int128 a, Int128 b) {
  Int128 sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}
constexpr std::optional<Int128> CheckedSubtract(Int128 a, Int128 b) {
  Int128 difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return std::nullopt;
  return difference;
}
constexpr std::optional<Int128> CheckedMultiply(Int128 a, Int128 b) {
  Int128 product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// The nearest representable value: a released sum may sit at the end of the range, but never wraps.
constexpr Int128 SaturatingAdd(Int128 a, Int128 b) {
  if (const std::optional<Int128> sum = CheckedAdd(a, b)) return *sum;
  return a < 0 ? kInt128Min : kInt128Max;
}

constexpr UInt128 Magnitude(Int128 value) {
  return value < 0 ? ~static_cast<UInt128>(value) + 1 : static_cast<UInt128>(value);
}

constexpr uint64_t HighHalf(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>(static_cast<UInt128>(a) * b >> 64);
}

std::string ToString(Int128 value);
std::optional<Int128> ParseInt128(std::string_view text);

}  // namespace tacit
