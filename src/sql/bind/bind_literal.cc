#include "sql/bind/bind_literal.h"

#include <charconv>

#include "sql/constants/calendar.h"
#include "sql/constants/fold_parts.h"
#include "sql/error_at.h"
#include "sql/parse/literal.h"

namespace tacit::sql {
namespace {

Bound MakeLiteral(LiteralKind kind, std::string text, const Type& type, Position position) {
  return Bound(BoundNode{.kind = Literal{.kind = kind, .text = std::move(text), .interval = {}},
                         .type = type,
                         .position = position});
}

// 31.12.2023, of which nobody but a person can say that the day comes first.
std::string HintOf(const std::string& text, const Type& type) {
  const bool is_date = type.kind == TypeKind::kDate;
  if (!is_date && type.kind != TypeKind::kTimestamp && type.kind != TypeKind::kTimestampTz) {
    return "";
  }
  // Beside a column it is a text; said to be a date, it is one.
  if (text == "today" || text == "yesterday" || text == "tomorrow") {
    return std::string("write ") + (is_date ? "DATE '" : "TIMESTAMP '") + text + "'";
  }
  const auto digits = [&](size_t from, size_t count) {
    for (size_t i = from; i < from + count; ++i) {
      if (i >= text.size() || text[i] < '0' || text[i] > '9') return false;
    }
    return true;
  };
  const bool with_points = text.size() == 10 && digits(0, 2) && text[2] == '.' && digits(3, 2) &&
                           text[5] == '.' && digits(6, 4);
  if (with_points) {
    return "write '" + text.substr(6, 4) + "-" + text.substr(3, 2) + "-" + text.substr(0, 2) + "'";
  }
  return is_date ? "dates are written as '2024-01-31'"
                 : "instants are written as '2024-01-31 10:20:30', days as '2024-01-31'";
}

Error NotA(const std::string& text, const Type& type, Position position) {
  Error error = ErrorAt(ErrorCode::kInvalidQuery, position,
                        "'" + text.substr(0, 60) + "' is not a value of type " + ToString(type));
  error.hint = HintOf(text, type);
  return error;
}

// 12.50 is numeric(4,2); 1.5e3 is numeric(4,0); what needs more than 38 digits is a double.
Result<Bound> BindNumeric(const std::string& text, Position position) {
  const bool negative = text.starts_with('-');
  std::string digits;
  int scale = 0;
  size_t i = negative ? 1 : 0;
  bool fraction = false;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      fraction = true;
    } else {
      digits += text[i];
      if (fraction) ++scale;
    }
  }
  int exponent = 0;
  if (i < text.size()) {
    const char* begin = text.data() + i + 1;
    if (*begin == '+') ++begin;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), exponent);
    if (error != std::errc() || exponent > 400 || exponent < -400) {
      return NotA(text, Simple(TypeKind::kNumeric), position);
    }
  }
  scale -= exponent;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (scale < 0) {
    digits.append(digits.empty() ? 0 : static_cast<size_t>(-scale), '0');
    scale = 0;
  }
  const int precision = std::max(static_cast<int>(digits.size()), std::max(scale, 1));
  if (precision > kNumericPrecisionMax) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return NotA(text, Simple(TypeKind::kDouble), position);
    return MakeLiteral(LiteralKind::kNumeric, text, Simple(TypeKind::kDouble), position);
  }
  std::string plain(static_cast<size_t>(precision) - digits.size(), '0');
  plain += digits;
  const size_t whole = plain.size() - static_cast<size_t>(scale);
  std::string canonical = (negative ? "-" : "") + (whole == 0 ? "0" : plain.substr(0, whole));
  if (scale > 0) canonical += "." + plain.substr(whole);
  return MakeLiteral(LiteralKind::kNumeric, canonical, Numeric(precision, scale), position);
}

Result<Bound> BindNumberText(const std::string& text, const Type& type, Position position) {
  const Result<Rational> value = ParseRational(text);
  if (!value.ok() || text.find('/') != std::string::npos) return NotA(text, type, position);
  if (type.IsInteger()) {
    int64_t integer = 0;
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, integer);
    const int64_t most = type.kind == TypeKind::kSmallint  ? 32'767
                         : type.kind == TypeKind::kInteger ? 2'147'483'647
                                                           : INT64_MAX;
    if (parsed.ec != std::errc() || parsed.ptr != end || integer > most || integer < -most - 1) {
      return NotA(text, type, position);
    }
    return MakeLiteral(LiteralKind::kInteger, std::to_string(integer), type, position);
  }
  TACIT_TRY(const Bound number, BindNumeric(text, position));
  return ConvertTo(number, type);
}

}  // namespace

Result<Bound> BindLiteral(const Literal& literal, Position position) {
  const auto keep = [&](TypeKind kind) {
    return Bound(BoundNode{.kind = literal, .type = Simple(kind), .position = position});
  };
  switch (literal.kind) {
    case LiteralKind::kNull:
    case LiteralKind::kString:
      return keep(TypeKind::kUnknown);
    case LiteralKind::kBoolean:
      return keep(TypeKind::kBoolean);
    case LiteralKind::kInteger: {
      int32_t value = 0;
      const std::string& text = literal.text;
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
      return keep(parsed.ec == std::errc() ? TypeKind::kInteger : TypeKind::kBigint);
    }
    case LiteralKind::kNumeric:
      return BindNumeric(literal.text, position);
    case LiteralKind::kDate:
      return keep(TypeKind::kDate);
    case LiteralKind::kTimestamp:
      return keep(TypeKind::kTimestamp);
    case LiteralKind::kTimestampTz:
      return keep(TypeKind::kTimestampTz);
    case LiteralKind::kInterval:
      return keep(TypeKind::kInterval);
  }
  return keep(TypeKind::kUnknown);
}

Result<Bound> BindLiteralAs(const Literal& literal, const Type& type, Position position) {
  if (literal.kind == LiteralKind::kNull || type.kind == TypeKind::kText) {
    return Bound(BoundNode{.kind = literal, .type = type, .position = position});
  }
  const std::string& text = literal.text;
  switch (type.kind) {
    case TypeKind::kBoolean: {
      const std::optional<bool> value = constants::ParseBoolean(text);
      if (!value) return NotA(text, type, position);
      return MakeLiteral(LiteralKind::kBoolean, *value ? "true" : "false", type, position);
    }
    case TypeKind::kDate: {
      const std::optional<std::string> date = CanonicalDate(text);
      if (!date) return NotA(text, type, position);
      return MakeLiteral(LiteralKind::kDate, *date, type, position);
    }
    case TypeKind::kTimestamp: {
      const std::optional<std::string> timestamp = CanonicalTimestamp(text);
      if (!timestamp) return NotA(text, type, position);
      return MakeLiteral(LiteralKind::kTimestamp, *timestamp, type, position);
    }
    case TypeKind::kInterval: {
      const std::optional<Interval> interval = ParseInterval(text);
      if (!interval) return NotA(text, type, position);
      Literal typed{.kind = LiteralKind::kInterval, .text = "", .interval = *interval};
      return Bound(BoundNode{.kind = std::move(typed), .type = type, .position = position});
    }
    case TypeKind::kTimestampTz: {
      const std::optional<std::string> timestamp = CanonicalTimestampTz(text, literal.zone.get());
      if (!timestamp) return NotA(text, type, position);
      return MakeLiteral(LiteralKind::kTimestampTz, *timestamp, type, position);
    }
    case TypeKind::kUuid: {
      // The engine reads it in its total form; a bad text is NULL there.
      Bound as_text(
          BoundNode{.kind = literal, .type = Simple(TypeKind::kText), .position = position});
      return Bound(
          BoundNode{.kind = BoundCast{std::move(as_text)}, .type = type, .position = position});
    }
    default:
      return BindNumberText(text, type, position);
  }
}

std::optional<Bound> LiteralAs(const Bound& bound, const Type& type) {
  const auto* literal = As<Literal>(bound);
  if (literal == nullptr) return std::nullopt;
  const auto made = [&](const Literal& written) {
    return Bound(BoundNode{.kind = written, .type = type, .position = bound->position});
  };
  const bool integer = literal->kind == LiteralKind::kInteger;
  if (integer && type.IsInteger()) {
    const Result<Bound> fits = BindNumberText(literal->text, type, bound->position);
    return fits.ok() ? std::optional(*fits) : std::nullopt;
  }
  if ((integer || literal->kind == LiteralKind::kNumeric) && type.kind == TypeKind::kDouble) {
    return made(*literal);
  }
  const std::optional<Literal> folded = constants::FoldCast(*literal, type);
  return InstantOf(*literal) && folded ? std::optional(made(*folded)) : std::nullopt;
}

Range LiteralRange(const Literal& literal) {
  if (const std::optional<int64_t> instant = InstantOf(literal)) {
    return PointRange(Rational(MakeRational(*instant) / 1'000'000));
  }
  if (literal.kind != LiteralKind::kInteger && literal.kind != LiteralKind::kNumeric) {
    return {.low = std::nullopt,
            .high = std::nullopt,
            .may_be_null = literal.kind == LiteralKind::kNull};
  }
  const Result<Rational> value = ParseRational(literal.text);
  return value.ok() ? PointRange(*value) : Range{};
}

}  // namespace tacit::sql
