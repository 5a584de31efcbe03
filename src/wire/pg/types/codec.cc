#include "wire/pg/types/codec.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "catalog/types.h"
#include "engine/value.h"
#include "wire/pg/types/parts.h"

namespace tacit::wire::pg {
namespace {

std::optional<std::string> FloatFromText(std::string_view text, bool wide) {
  double value = 0;
  if (text == "NaN") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (text == "Infinity" || text == "-Infinity") {
    value = text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  } else {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
      return std::nullopt;
    }
  }
  return wide ? FloatBinary(value) : FloatBinary(static_cast<float>(value));
}

std::optional<std::string> FloatText(std::string_view binary, bool wide) {
  const auto bits = IntegerOf(binary, wide ? 8 : 4);
  if (!bits) return std::nullopt;
  if (wide) {
    double value = 0;
    std::memcpy(&value, &*bits, sizeof value);
    return engine::ToText(value);
  }
  const auto bits32 = static_cast<int32_t>(*bits);
  float value = 0;
  std::memcpy(&value, &bits32, sizeof value);
  return engine::RealText(static_cast<double>(value));
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Pairs of hexadecimal digits; dashes are left out where `dashes` says so.
std::optional<std::string> FromHex(std::string_view text, bool dashes) {
  std::string out;
  int high = -1;
  for (const char c : text) {
    if (dashes && c == '-') continue;
    const int digit = HexDigit(c);
    if (digit < 0) return std::nullopt;
    if (high < 0) {
      high = digit;
    } else {
      out += static_cast<char>(high << 4 | digit);
      high = -1;
    }
  }
  return high < 0 ? std::optional(out) : std::nullopt;
}

std::string ToHex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

std::optional<std::string> IntegerBinary(std::string_view text, size_t bytes) {
  const int64_t most = bytes == 2 ? INT16_MAX : bytes == 4 ? INT32_MAX : INT64_MAX;
  const auto value = ParseInteger(text, -most - 1, most);
  return value ? std::optional(BytesOf(*value, bytes)) : std::nullopt;
}

std::optional<std::string> BoolBinary(std::string_view text) {
  if (text == "t" || text == "true" || text == "on" || text == "1") return std::string(1, '\1');
  if (text == "f" || text == "false" || text == "off" || text == "0") return std::string(1, '\0');
  return std::nullopt;
}

std::optional<std::string> UuidBinary(std::string_view text) {
  std::optional<std::string> bytes = FromHex(text, true);
  return bytes && bytes->size() == 16 ? bytes : std::nullopt;
}

// Outer nothing: the type has no binary form here.
std::optional<std::optional<std::string>> ScalarBinary(Oid type, std::string_view text) {
  if (IsTextLike(type)) return std::string(text);
  if (IsOidLike(type)) {
    const auto value = ParseInteger(text == "-" ? "0" : text, 0, UINT32_MAX);
    return value ? std::optional(BytesOf(*value, 4)) : std::nullopt;
  }
  switch (type) {
    case oid::kBool:
      return BoolBinary(text);
    case oid::kInt2:
      return IntegerBinary(text, 2);
    case oid::kInt4:
      return IntegerBinary(text, 4);
    case oid::kInt8:
      return IntegerBinary(text, 8);
    case oid::kFloat4:
      return FloatFromText(text, false);
    case oid::kFloat8:
      return FloatFromText(text, true);
    case oid::kNumeric:
      return NumericBinary(text);
    case oid::kDate:
      return DateBinary(text);
    case oid::kTime:
      return TimeBinary(text);
    case oid::kTimestamp:
    case oid::kTimestampTz:
      return TimestampBinary(text);
    case oid::kInterval:
      return IntervalBinary(text);
    case oid::kUuid:
      return UuidBinary(text);
    case oid::kBytea:
      if (!text.starts_with("\\x")) return std::optional<std::string>();
      return FromHex(text.substr(2), false);
    case oid::kJsonb:
      return "\1" + std::string(text);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> IntegerText(std::string_view binary, size_t bytes) {
  const auto value = IntegerOf(binary, bytes);
  return value ? std::optional(std::to_string(*value)) : std::nullopt;
}

std::optional<std::string> UuidText(std::string_view binary) {
  if (binary.size() != 16) return std::nullopt;
  std::string hex = ToHex(binary);
  for (const size_t at : {20u, 16u, 12u, 8u}) hex.insert(at, "-");
  return hex;
}

std::optional<std::optional<std::string>> ScalarText(Oid type, std::string_view binary) {
  if (IsTextLike(type)) return std::string(binary);
  if (IsOidLike(type)) {
    const auto value = IntegerOf(binary, 4);
    if (!value) return std::optional<std::string>();
    return std::to_string(static_cast<uint32_t>(*value));
  }
  switch (type) {
    case oid::kBool:
      if (binary.size() != 1) return std::optional<std::string>();
      return std::string(binary[0] != 0 ? "t" : "f");
    case oid::kInt2:
      return IntegerText(binary, 2);
    case oid::kInt4:
      return IntegerText(binary, 4);
    case oid::kInt8:
      return IntegerText(binary, 8);
    case oid::kFloat4:
      return FloatText(binary, false);
    case oid::kFloat8:
      return FloatText(binary, true);
    case oid::kNumeric:
      return NumericText(binary);
    case oid::kDate:
      return DateText(binary);
    case oid::kTime:
      return TimeText(binary);
    case oid::kTimestamp:
    case oid::kTimestampTz:
      return TimestampText(binary, type == oid::kTimestampTz);
    case oid::kInterval:
      return IntervalText(binary);
    case oid::kUuid:
      return UuidText(binary);
    case oid::kBytea:
      return "\\x" + ToHex(binary);
    case oid::kJsonb:
      if (binary.empty() || binary[0] != '\1') return std::optional<std::string>();
      return std::string(binary.substr(1));
    default:
      return std::nullopt;
  }
}

Error NoBinary(Oid type) {
  return Error{.code = ErrorCode::kUnsupported,
               .public_message = "there is no binary form here of the type with the number " +
                                 std::to_string(type),
               .hint = "ask for the text format",
               .position = std::nullopt,
               .private_detail = ""};
}

}  // namespace

bool IsTextLike(Oid type) {
  return type == oid::kText || type == oid::kName || type == oid::kVarchar ||
         type == oid::kBpchar || type == oid::kUnknown || type == oid::kJson ||
         type == oid::kChar || type == oid::kCstring || type == oid::kPgNodeTree;
}

bool IsOidLike(Oid type) {
  return type == oid::kOid || type == oid::kXid || type == oid::kCid || catalog::IsRegistry(type);
}

std::string FloatBinary(double value) { return BytesOf(std::bit_cast<int64_t>(value), 8); }
std::string FloatBinary(float value) { return BytesOf(std::bit_cast<int32_t>(value), 4); }

Error NotAValue(Oid type) {
  Error error =
      InvalidArgument("a value is none of the type with the number " + std::to_string(type));
  error.rule = "invalid_text_representation";
  return error;
}

int16_t LengthOf(Oid type) {
  const catalog::TypeFacts* facts = catalog::FindType(type);
  return facts == nullptr ? int16_t{-1} : facts->length;
}

std::optional<Oid> ElementOf(Oid type) {
  if (!catalog::IsArray(type) || catalog::IsVector(type) || type == oid::kAnyArray) {
    return std::nullopt;
  }
  const Oid element = catalog::ElementOf(type);
  return ScalarBinary(element, "") ? std::optional(element) : std::nullopt;
}

bool HasBinary(Oid type) {
  return ElementOf(type).has_value() || ScalarBinary(type, "").has_value();
}

Result<std::string> BinaryOf(Oid type, std::string_view text) {
  if (const std::optional<Oid> element = ElementOf(type)) return ArrayBinary(*element, text);
  const auto binary = ScalarBinary(type, text);
  if (!binary) return NoBinary(type);
  if (!*binary) return NotAValue(type);
  return **binary;
}

Result<std::string> TextOf(Oid type, std::string_view binary) {
  if (const std::optional<Oid> element = ElementOf(type)) return ArrayText(*element, binary);
  const auto text = ScalarText(type, binary);
  if (!text) return NoBinary(type);
  if (!*text) return NotAValue(type);
  return **text;
}

}  // namespace tacit::wire::pg
