#include "local/reports/report_text.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace tacit::local {
namespace {

// Why 10: the longest index of 32 bits.
constexpr size_t kNumberCharsMax = 10;

void AppendNumber(uint32_t number, std::string& text) {
  char digits[kNumberCharsMax];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number);
  text.append(digits, end.ptr);
}

// Decimal without sign, spaces or leading zeros; below `bound`.
bool ParseNumber(const char*& at, const char* end, uint32_t bound, uint32_t& number) {
  const char* start = at;
  uint64_t value = 0;
  while (at != end && *at >= '0' && *at <= '9' && at - start < 11) {
    value = value * 10 + static_cast<uint64_t>(*at++ - '0');
  }
  if (at == start || (at - start > 1 && *start == '0') || value >= bound) return false;
  number = static_cast<uint32_t>(value);
  return true;
}

// Eight lower-case hexadecimal digits at once, the first the most significant.
bool ParseHex8(const char* text, uint64_t& value) {
  constexpr uint64_t kEach = 0x0101010101010101;
  constexpr uint64_t kHigh = 0x80 * kEach;
  uint64_t x;
  std::memcpy(&x, text, sizeof(x));
  if constexpr (std::endian::native == std::endian::little) x = __builtin_bswap64(x);
  if ((x & kHigh) != 0) return false;
  // Adding to a byte below 0x80 sets its high bit exactly when it has reached a bound.
  const uint64_t digit = (x + (0x80 - '0') * kEach) & ~(x + (0x7f - '9') * kEach) & kHigh;
  const uint64_t letter = (x + (0x80 - 'a') * kEach) & ~(x + (0x7f - 'f') * kEach) & kHigh;
  if ((digit | letter) != kHigh) return false;
  x = (x & 0x0f * kEach) + 9 * (letter >> 7);
  x = (x | x >> 4) & 0x00ff00ff00ff00ff;
  x = (x | x >> 8) & 0x0000ffff0000ffff;
  value = (x | x >> 16) & 0xffffffff;
  return true;
}

bool ParseBits(uint32_t values, std::string_view text, std::vector<uint64_t>& bits) {
  if (text.size() != (values + 3) / 4) return false;
  bits.resize(WordsFor(values));
  for (size_t word = 0; word < bits.size(); ++word) {
    std::string_view digits = text.substr(word * 16, 16);
    char padded[16];
    if (digits.size() < 16) {
      std::memset(padded, '0', sizeof(padded));
      std::memcpy(padded, digits.data(), digits.size());
      digits = {padded, sizeof(padded)};
    }
    uint64_t high = 0;
    uint64_t low = 0;
    if (!ParseHex8(digits.data(), high) || !ParseHex8(digits.data() + 8, low)) return false;
    bits[word] = high << 32 | low;
  }
  return (bits.back() & ~LastWordMask(values)) == 0;
}

}  // namespace

void AppendReport(const Design& design, const Report& report, std::string& text) {
  if (HasBits(design.mechanism)) {
    const size_t digits = (design.values + 3) / 4;
    for (size_t i = 0; i < digits; ++i) {
      text += "0123456789abcdef"[report.bits[i / 16] >> (60 - i % 16 * 4) & 15];
    }
    return;
  }
  if (design.mechanism == Mechanism::kHashing) {
    AppendNumber(report.seed, text);
    text += ',';
  }
  AppendNumber(report.value, text);
}

bool ParseReport(const Design& design, uint32_t seeds, std::string_view text, Report& report) {
  if (HasBits(design.mechanism)) return ParseBits(design.values, text, report.bits);
  const char* at = text.data();
  const char* end = at + text.size();
  if (design.mechanism == Mechanism::kHashing) {
    return ParseNumber(at, end, seeds, report.seed) && at != end && *at++ == ',' &&
           ParseNumber(at, end, design.buckets, report.value) && at == end;
  }
  return ParseNumber(at, end, design.values, report.value) && at == end;
}

std::string_view ColumnsOf(const Design& design) {
  if (HasBits(design.mechanism)) return "bits";
  return design.mechanism == Mechanism::kHashing ? "seed,bucket" : "value";
}

}  // namespace tacit::local
