#include "engine/trino/values.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace tacit::engine::trino {
namespace {

// Reads from the front of a text.
class Digits {
 public:
  explicit Digits(std::string_view text) : text_(text) {}

  std::optional<int64_t> Number(size_t least, size_t most) {
    size_t count = 0;
    while (count < text_.size() && count < most && text_[count] >= '0' && text_[count] <= '9') {
      ++count;
    }
    if (count < least) return std::nullopt;
    int64_t number = 0;
    std::from_chars(text_.data(), text_.data() + count, number);
    text_.remove_prefix(count);
    return number;
  }
  bool Take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

// Of the calendar that goes on before its beginning, with a year 0.
int64_t DaysOf(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t of_era = year - era * 400;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719'468;
}

std::optional<int64_t> ReadDays(Digits& text) {
  const bool negative = text.Take('-');
  if (!negative) text.Take('+');
  const auto year = text.Number(4, 7);
  if (!year || !text.Take('-')) return std::nullopt;
  const auto month = text.Number(2, 2);
  if (!month || *month < 1 || *month > 12 || !text.Take('-')) return std::nullopt;
  const auto day = text.Number(2, 2);
  if (!day || *day < 1 || *day > 31) return std::nullopt;
  return DaysOf(negative ? -*year : *year, *month, *day);
}

// 12:34:56.123456
std::optional<int64_t> ReadMicros(Digits& text) {
  const auto hour = text.Number(2, 2);
  if (!hour || *hour > 23 || !text.Take(':')) return std::nullopt;
  const auto minute = text.Number(2, 2);
  if (!minute || *minute > 59 || !text.Take(':')) return std::nullopt;
  const auto second = text.Number(2, 2);
  if (!second || *second > 59 || !text.Take('.')) return std::nullopt;
  const auto micros = text.Number(6, 6);
  if (!micros) return std::nullopt;
  return ((*hour * 60 + *minute) * 60 + *second) * 1'000'000 + *micros;
}

std::optional<Value> ReadDate(std::string_view from) {
  Digits text(from);
  const auto days = ReadDays(text);
  if (!days || !text.rest().empty() || *days > std::numeric_limits<int32_t>::max() ||
      *days < std::numeric_limits<int32_t>::min()) {
    return std::nullopt;
  }
  return Value(Date{static_cast<int32_t>(*days)});
}

std::optional<Value> ReadTime(std::string_view from) {
  Digits text(from);
  const auto micros = ReadMicros(text);
  if (!micros || !text.rest().empty()) return std::nullopt;
  return Value(Time{*micros});
}

std::optional<Value> ReadInstant(std::string_view from, bool with_zone) {
  Digits text(from);
  const auto days = ReadDays(text);
  if (!days || !text.Take(' ')) return std::nullopt;
  const auto micros = ReadMicros(text);
  if (!micros || text.rest() != (with_zone ? " UTC" : "")) return std::nullopt;
  int64_t since_1970 = 0;
  if (__builtin_mul_overflow(*days, int64_t{86'400'000'000}, &since_1970) ||
      __builtin_add_overflow(since_1970, *micros, &since_1970)) {
    return std::nullopt;
  }
  return Value(Timestamp{.micros = since_1970, .with_zone = with_zone});
}

// "-12.50"
std::optional<Numeric> ReadNumeric(std::string_view text, int scale) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  constexpr Int128 kMost = (Int128{1} << 126) - 1 + (Int128{1} << 126);
  Int128 number = 0;
  int behind = -1;  // digits behind the point
  size_t digits = 0;
  for (const char c : text) {
    if (c == '.' && behind < 0) {
      behind = 0;
      continue;
    }
    if (c < '0' || c > '9' || number > (kMost - (c - '0')) / 10) return std::nullopt;
    number = number * 10 + (c - '0');
    ++digits;
    if (behind >= 0) ++behind;
  }
  if (digits == 0 || std::max(behind, 0) != scale) return std::nullopt;
  return Numeric{.unscaled = negative ? -number : number, .scale = scale};
}

std::optional<Value> ReadDouble(const Cell& cell) {
  if (const auto* real = std::get_if<double>(&cell)) return Value(*real);
  if (const auto* whole = std::get_if<int64_t>(&cell)) return Value(static_cast<double>(*whole));
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return std::nullopt;
  if (*text == "NaN") return Value(std::numeric_limits<double>::quiet_NaN());
  if (*text == "Infinity") return Value(std::numeric_limits<double>::infinity());
  if (*text == "-Infinity") return Value(-std::numeric_limits<double>::infinity());
  return std::nullopt;
}

std::optional<Value> ReadInteger(const Cell& cell, TypeKind kind) {
  const auto* number = std::get_if<int64_t>(&cell);
  if (number == nullptr) return std::nullopt;
  const int bits = kind == TypeKind::kSmallint ? 16 : kind == TypeKind::kInteger ? 32 : 64;
  if (bits < 64 &&
      (*number >= (int64_t{1} << (bits - 1)) || *number < -(int64_t{1} << (bits - 1)))) {
    return std::nullopt;
  }
  return Value(*number);
}

// "decimal(12,2)", and with a blank in it, as pages have it.
std::optional<ValueType> ReadDecimal(const std::string& word) {
  Digits text(word);
  for (const char c : std::string_view("decimal(")) {
    if (!text.Take(c)) return std::nullopt;
  }
  const auto precision = text.Number(1, 2);
  if (!precision || !text.Take(',')) return std::nullopt;
  text.Take(' ');
  const auto scale = text.Number(1, 2);
  if (!scale || text.rest() != ")") return std::nullopt;
  return NumericType(static_cast<int>(*precision), static_cast<int>(*scale));
}

}  // namespace

std::optional<ValueType> TypeOfName(const std::string& word) {
  if (word == "boolean") return kBooleanType;
  if (word == "tinyint" || word == "smallint") return kSmallintType;
  if (word == "integer") return kIntegerType;
  if (word == "bigint") return kBigintType;
  if (word == "real") return kRealType;
  if (word == "double") return kDoubleType;
  if (word == "date") return kDateType;
  if (word == "uuid") return ValueType{.kind = TypeKind::kUuid};
  if (word == "time(6)") return ValueType{.kind = TypeKind::kTime};
  if (word == "timestamp(6)") return kTimestampType;
  if (word == "timestamp(6) with time zone") return ValueType{.kind = TypeKind::kTimestampTz};
  if (word == "varchar" || word.starts_with("varchar(")) return kTextType;
  return ReadDecimal(word);
}

bool IsNameOf(const std::string& word, const ValueType& type) {
  const std::optional<ValueType> named = TypeOfName(word);
  if (!named) return false;
  if (type.IsInteger()) return named->IsInteger();
  if (type.kind == TypeKind::kNumeric) {
    return named->kind == type.kind && named->scale == (type.precision == 0 ? 15 : type.scale);
  }
  return named->kind == type.kind;
}

std::optional<Value> ReadValue(const Cell& cell, const ValueType& type) {
  if (std::holds_alternative<std::monostate>(cell)) return Value();
  const auto* text = std::get_if<std::string>(&cell);
  switch (type.kind) {
    case TypeKind::kBoolean:
      if (const auto* truth = std::get_if<bool>(&cell)) return Value(*truth);
      return std::nullopt;
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      return ReadInteger(cell, type.kind);
    case TypeKind::kReal: {
      const auto value = ReadDouble(cell);
      if (!value) return std::nullopt;
      return Value(static_cast<double>(static_cast<float>(std::get<double>(*value))));
    }
    case TypeKind::kDouble:
      return ReadDouble(cell);
    default:
      break;
  }
  if (text == nullptr) return std::nullopt;
  switch (type.kind) {
    case TypeKind::kNumeric: {
      const auto numeric = ReadNumeric(*text, type.precision == 0 ? 15 : type.scale);
      if (!numeric) return std::nullopt;
      return Value(*numeric);
    }
    case TypeKind::kText:
    case TypeKind::kUuid:
      return Value(*text);
    case TypeKind::kDate:
      return ReadDate(*text);
    case TypeKind::kTime:
      return ReadTime(*text);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      return ReadInstant(*text, type.kind == TypeKind::kTimestampTz);
    default:
      return std::nullopt;
  }
}

std::optional<Int128> ReadWhole(const Cell& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return std::nullopt;
  const auto numeric = ReadNumeric(*text, 0);
  if (!numeric) return std::nullopt;
  return numeric->unscaled;
}

}  // namespace tacit::engine::trino
