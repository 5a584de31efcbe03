#include <algorithm>

#include "sql/functions/function.h"

namespace tacit::sql {
namespace {

int IntegerWidth(TypeKind kind) {
  return kind == TypeKind::kSmallint ? 2 : kind == TypeKind::kInteger ? 4 : 8;
}

// A timestamp with time zone becomes a date or a timestamp, and the reverse, in UTC.
bool IsZonedPair(TypeKind from, TypeKind to) {
  const auto plain = [](TypeKind kind) {
    return kind == TypeKind::kDate || kind == TypeKind::kTimestamp;
  };
  return (from == TypeKind::kTimestampTz && plain(to)) ||
         (to == TypeKind::kTimestampTz && plain(from));
}

// Text to and from everything; numbers among each other; dates and timestamps; int and bool.
bool CastBetweenFamilies(const Type& from, const Type& to) {
  const bool plain_text = from.kind == TypeKind::kText || to.kind == TypeKind::kText;
  if (plain_text) {
    const TypeKind other = from.kind == TypeKind::kText ? to.kind : from.kind;
    return other != TypeKind::kInterval &&
           (other != TypeKind::kTimestampTz || from.kind == TypeKind::kTimestampTz);
  }
  if (from.IsNumber() && to.IsNumber()) return true;
  const auto pair = [&](TypeKind a, TypeKind b) { return from.kind == a && to.kind == b; };
  return pair(TypeKind::kBoolean, TypeKind::kInteger) ||
         pair(TypeKind::kInteger, TypeKind::kBoolean) ||
         pair(TypeKind::kDate, TypeKind::kTimestamp) ||
         pair(TypeKind::kTimestamp, TypeKind::kDate) || IsZonedPair(from.kind, to.kind);
}

}  // namespace

Type AsNumeric(const Type& type) {
  switch (type.kind) {
    case TypeKind::kSmallint:
      return Numeric(5, 0);
    case TypeKind::kInteger:
      return Numeric(10, 0);
    case TypeKind::kBigint:
      return Numeric(19, 0);
    default:
      return type;
  }
}

Type PlainNumericOf(const Type& from) {
  if (from.IsInteger() || (from.kind == TypeKind::kNumeric && from.precision > 0)) {
    return AsNumeric(from);
  }
  // Why 15 decimals: a double has about as many digits, and 23 stay before the point.
  return Numeric(kNumericPrecisionMax, 15);
}

std::optional<Type> CommonType(const Type& a, const Type& b) {
  if (a == b) return a;
  if (a.kind == TypeKind::kUnknown) return b;
  if (b.kind == TypeKind::kUnknown) return a;
  if (a.IsNumber() && b.IsNumber()) {
    if (a.IsFloat() || b.IsFloat()) {
      const bool both_real = a.kind == TypeKind::kReal && b.kind == TypeKind::kReal;
      return Simple(both_real ? TypeKind::kReal : TypeKind::kDouble);
    }
    if (a.IsInteger() && b.IsInteger()) {
      return IntegerWidth(a.kind) > IntegerWidth(b.kind) ? a : b;
    }
    const Type x = AsNumeric(a);
    const Type y = AsNumeric(b);
    const int scale = std::max(x.scale, y.scale);
    const int precision = std::max(x.precision - x.scale, y.precision - y.scale) + scale;
    if (precision > kNumericPrecisionMax) return Simple(TypeKind::kDouble);
    return Numeric(precision, scale);
  }
  const auto either = [&](TypeKind p, TypeKind q) {
    return (a.kind == p && b.kind == q) || (a.kind == q && b.kind == p);
  };
  if (either(TypeKind::kDate, TypeKind::kTimestamp)) return Simple(TypeKind::kTimestamp);
  if (IsZonedPair(a.kind, b.kind)) return Simple(TypeKind::kTimestampTz);
  return std::nullopt;
}

std::optional<Type> CommonType(const std::vector<Type>& types) {
  std::optional<Type> common = Type{};
  for (const Type& type : types) {
    common = CommonType(*common, type);
    if (!common) return std::nullopt;
  }
  if (common->kind == TypeKind::kUnknown) return Simple(TypeKind::kText);
  return common;
}

std::vector<TotalForm> TotalForms() {
  return {
      {"a column",
       {"finite numbers, 0 without a sign; decimals within their digits, timestamps that can be "
        "written",
        "tacit_finite of doubles and reals; CASE WHEN x BETWEEN the least and the most", "NULL"}},
      {"CASE", {"every value", "none needed", "-"}},
      {"CAST of a number to a number",
       {"numbers that fit", "a cast that may fail, where some value might not fit", "NULL"}},
      {"CAST of a text",
       {"what PostgreSQL reads as the type", "a regular expression, then a cast that may fail",
        "NULL"}},
      {"CAST to text",
       {"every value; of doubles one text each", "tacit_finite of doubles, CASE WHEN of timestamps",
        "NULL"}},
      {"CAST of a date to a timestamp",
       {"the years 1 to 9999", "CASE WHEN x BETWEEN the first and the last day", "NULL"}},
      {"CAST of a date or timestamp with time zone, and to one",
       {"the years 1 to 9999, in UTC", "CASE WHEN x BETWEEN the first and the last day", "NULL"}},
      {"CAST of a timestamp to a date, of integers and booleans",
       {"every value", "none needed", "-"}},
      {"sum, avg of one person",
       {"sums within the type, of doubles up to 2^960",
        "integers by a cast that may fail, doubles exactly by tacit_sum and tacit_avg", "NULL"}},
      {"var_*, stddev* of one person",
       {"values up to 1e100",
        "CASE WHEN x BETWEEN -1e100 AND 1e100, exactly by tacit_var_pop and the like",
        "left out; NULL"}},
      {"covar_*, corr, regr_* of one person",
       {"values up to 1e100", "CASE WHEN x BETWEEN -1e100 AND 1e100, tacit_finite",
        "left out; NULL"}},
      {"percentile_cont of one person", {"finite results", "tacit_finite", "NULL"}},
      {"count, min, max, mode, percentile_disc, ranks, lag, lead of one person",
       {"every value", "none needed", "-"}},
  };
}

bool CanCast(const Type& from, const Type& to) {
  if (from.kind == to.kind || from.kind == TypeKind::kUnknown) return true;
  return CastBetweenFamilies(from, to);
}

}  // namespace tacit::sql
