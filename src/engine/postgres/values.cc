#include "engine/postgres/values.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tacit::engine::postgres {
namespace {

// Integers with the most significant byte first.
template <class Whole>
std::optional<Whole> ReadBig(std::string_view bytes) {
  if (bytes.size() != sizeof(Whole)) return std::nullopt;
  uint64_t word = 0;
  for (const char c : bytes) word = (word << 8) | static_cast<unsigned char>(c);
  return static_cast<Whole>(word);
}

constexpr int32_t kDaysTo2000 = 10'957;
constexpr int64_t kMicrosTo2000 = int64_t{kDaysTo2000} * 86'400'000'000;

// Digits of 10,000 behind a header: their number, the power of the first, the sign, the scale.
std::optional<Numeric> ReadNumeric(std::string_view bytes, int scale) {
  if (bytes.size() < 8 || bytes.size() % 2 != 0) return std::nullopt;
  const auto at = [&](size_t i) { return ReadBig<int16_t>(bytes.substr(2 * i, 2)).value(); };
  const size_t digits = static_cast<size_t>(static_cast<uint16_t>(at(0)));
  const int weight = at(1);
  const auto sign = static_cast<uint16_t>(at(2));
  if ((sign != 0 && sign != 0x4000) || digits != bytes.size() / 2 - 4) return std::nullopt;
  Int128 number = 0;
  constexpr Int128 kMost = (Int128{1} << 126) - 1 + (Int128{1} << 126);
  const auto append = [&](int digit, int base) {
    if (number > (kMost - digit) / base) return false;
    number = number * base + digit;
    return true;
  };
  int place = weight;  // the power of 10,000 of the next digit
  for (size_t i = 0; i < digits && place >= 0; ++i, --place) {
    if (at(4 + i) < 0 || at(4 + i) > 9999 || !append(at(4 + i), 10'000)) return std::nullopt;
  }
  for (; place >= 0; --place) {
    if (!append(0, 10'000)) return std::nullopt;
  }
  // Behind the point, digit by digit; the first of them may stand some places behind it.
  size_t next = weight >= 0 ? static_cast<size_t>(weight) + 1 : 0;
  int skipped = weight < -1 ? -1 - weight : 0;
  for (int done = 0; done < scale;) {
    int digit = 0;
    if (skipped > 0) {
      --skipped;
    } else if (next < digits) {
      digit = at(4 + next++);
    }
    if (digit < 0 || digit > 9999) return std::nullopt;
    for (int unit = 1000; unit > 0 && done < scale; unit /= 10, ++done) {
      if (!append(digit / unit % 10, 10)) return std::nullopt;
    }
    // What is left of it would be lost.
    if (done == scale) {
      int used = scale % 4 == 0 ? 4 : scale % 4;
      int rest = digit;
      for (int power = 1000; used > 0; power /= 10, --used) rest %= power;
      if (rest != 0) return std::nullopt;
    }
  }
  for (; next < digits; ++next) {
    if (at(4 + next) != 0) return std::nullopt;
  }
  return Numeric{.unscaled = sign == 0 ? number : -number, .scale = scale};
}

template <class Float, class Bits>
std::optional<Value> ReadFloat(std::string_view bytes) {
  const std::optional<Bits> bits = ReadBig<Bits>(bytes);
  if (!bits) return std::nullopt;
  return Value(static_cast<double>(std::bit_cast<Float>(*bits)));
}

std::optional<Value> ReadDate(std::string_view bytes) {
  const std::optional<int32_t> days = ReadBig<int32_t>(bytes);
  if (!days) return std::nullopt;
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  if (*days == kMost) return Value(Date{kMost});
  if (*days == std::numeric_limits<int32_t>::min()) return Value(Date{-kMost});
  return Value(Date{*days + kDaysTo2000});
}

std::optional<Value> ReadInstant(std::string_view bytes, bool with_zone) {
  const std::optional<int64_t> micros = ReadBig<int64_t>(bytes);
  if (!micros) return std::nullopt;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t since_1970 = *micros;
  if (*micros == std::numeric_limits<int64_t>::min()) {
    since_1970 = -kMost;
  } else if (*micros != kMost && __builtin_add_overflow(*micros, kMicrosTo2000, &since_1970)) {
    return std::nullopt;
  }
  return Value(Timestamp{.micros = since_1970, .with_zone = with_zone});
}

std::optional<Value> ReadUuid(std::string_view bytes) {
  if (bytes.size() != 16) return std::nullopt;
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return Value(text);
}

std::optional<Value> ReadInterval(std::string_view bytes) {
  if (bytes.size() != 16) return std::nullopt;
  Interval interval;
  interval.micros = *ReadBig<int64_t>(bytes.substr(0, 8));
  interval.days = *ReadBig<int32_t>(bytes.substr(8, 4));
  interval.months = *ReadBig<int32_t>(bytes.substr(12, 4));
  return Value(interval);
}

template <class Whole>
std::optional<Value> ReadInteger(std::string_view bytes) {
  const std::optional<Whole> whole = ReadBig<Whole>(bytes);
  if (!whole) return std::nullopt;
  return Value(int64_t{*whole});
}

struct Numbered {
  TypeKind kind;
  unsigned oid;
};
constexpr std::array<Numbered, 14> kNumbers = {{{TypeKind::kBoolean, 16},
                                                {TypeKind::kBigint, 20},
                                                {TypeKind::kSmallint, 21},
                                                {TypeKind::kInteger, 23},
                                                {TypeKind::kText, 25},
                                                {TypeKind::kReal, 700},
                                                {TypeKind::kDouble, 701},
                                                {TypeKind::kDate, 1082},
                                                {TypeKind::kTime, 1083},
                                                {TypeKind::kTimestamp, 1114},
                                                {TypeKind::kTimestampTz, 1184},
                                                {TypeKind::kInterval, 1186},
                                                {TypeKind::kNumeric, 1700},
                                                {TypeKind::kUuid, 2950}}};

}  // namespace

bool IsNumberOf(unsigned oid, const ValueType& type) {
  for (const Numbered& one : kNumbers) {
    if (one.oid == oid) return one.kind == type.kind;
  }
  return false;
}

std::optional<ValueType> TypeOfNumber(unsigned oid) {
  for (const Numbered& one : kNumbers) {
    if (one.oid == oid) return ValueType{.kind = one.kind};
  }
  return std::nullopt;
}

std::optional<Value> ReadValue(std::string_view bytes, const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      if (bytes.size() != 1) return std::nullopt;
      return Value(bytes[0] != 0);
    case TypeKind::kSmallint:
      return ReadInteger<int16_t>(bytes);
    case TypeKind::kInteger:
      return ReadInteger<int32_t>(bytes);
    case TypeKind::kBigint:
      return ReadInteger<int64_t>(bytes);
    case TypeKind::kReal:
      return ReadFloat<float, uint32_t>(bytes);
    case TypeKind::kDouble:
      return ReadFloat<double, uint64_t>(bytes);
    case TypeKind::kNumeric: {
      const auto numeric = ReadNumeric(bytes, type.scale);
      if (!numeric) return std::nullopt;
      return Value(*numeric);
    }
    case TypeKind::kText:
      return Value(std::string(bytes));
    case TypeKind::kDate:
      return ReadDate(bytes);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      return ReadInstant(bytes, type.kind == TypeKind::kTimestampTz);
    case TypeKind::kInterval:
      return ReadInterval(bytes);
    case TypeKind::kUuid:
      return ReadUuid(bytes);
    default:
      return std::nullopt;
  }
}

std::optional<Int128> ReadWhole(std::string_view bytes) {
  const auto numeric = ReadNumeric(bytes, 0);
  if (!numeric) return std::nullopt;
  return numeric->unscaled;
}

std::optional<std::string> ParameterText(const Value& value) {
  if (IsNull(value)) return std::nullopt;
  return ToText(value);
}

}  // namespace tacit::engine::postgres
