#include "sql/print/trino/parts.h"

// Conversions. Of texts into other types there are none: what Trino reads is not what DuckDB is
// told to read, and it raises on the rest.
namespace tacit::sql::trino {
namespace {

int DigitsOf(const Type& integer) {
  return integer.kind == TypeKind::kSmallint ? 5 : integer.kind == TypeKind::kInteger ? 10 : 19;
}

bool IsNumeric(const Type& type) { return type.kind == TypeKind::kNumeric; }
int PrecisionOf(const Type& type) { return type.precision == 0 ? 38 : type.precision; }
int ScaleOf(const Type& type) { return type.precision == 0 ? 15 : type.scale; }

std::string Decimal(const std::string& digits) { return "DECIMAL '" + digits + "'"; }
std::string Nines(int count) { return std::string(static_cast<size_t>(count), '9'); }

// The operand where it is nearer to zero than both, else NULL.
std::string Between(const std::string& operand, const std::string& low, const std::string& high,
                    const Type& to) {
  return "CASE WHEN " + operand + " > " + low + " AND " + operand + " < " + high + " THEN " +
         CastText(operand, to) + " END";
}

// Decimals are rounded half away from zero: what is half a unit from the first number with one more
// digit becomes that one.
Text ToNumeric(const std::string& operand, const Type& to) {
  if (PrecisionOf(to) == kNumericPrecisionMax) return std::nullopt;
  const int whole = PrecisionOf(to) - ScaleOf(to);
  const std::string most = Nines(whole) + "." + Nines(ScaleOf(to)) + "5";
  return Between(operand, Decimal("-" + most), Decimal(most), to);
}

std::string ToInteger(const std::string& operand, const Type& from, const Type& to) {
  const char* low = to.kind == TypeKind::kSmallint  ? "-32768"
                    : to.kind == TypeKind::kInteger ? "-2147483648"
                                                    : "-9223372036854775808";
  const char* high = to.kind == TypeKind::kSmallint  ? "32767"
                     : to.kind == TypeKind::kInteger ? "2147483647"
                                                     : "9223372036854775807";
  if (from.IsInteger()) {
    return "CASE WHEN " + operand + " BETWEEN " + low + " AND " + high + " THEN " +
           CastText(operand, to) + " END";
  }
  return Between(operand, Decimal(std::string(low) + ".5"), Decimal(std::string(high) + ".5"), to);
}

// Whole steps over a power of ten, as DuckDB computes it: in two parts where the steps are no
// double.
Text NumericToDouble(const std::string& operand, const Type& from) {
  if (PrecisionOf(from) > 18) return std::nullopt;
  const auto real = [](const std::string& text) { return CastText(text, kDoubleType); };
  if (PrecisionOf(from) <= 15) return real(operand);
  const std::string power = PowerOfTen(ScaleOf(from));
  const std::string steps = "CAST(" + operand + " * " + Decimal(power) + " AS bigint)";
  const std::string by = "DOUBLE '" + power + "'";
  return "CASE WHEN " + steps + " BETWEEN -9007199254740992 AND 9007199254740992 THEN " +
         real(steps) + " / " + by + " ELSE " + real(steps + " / " + power) + " + " +
         real(steps + " % " + power) + " / " + by + " END";
}

// 2^63 is a double, and below -2^63 the next one is 2,048 less.
std::string DoubleToInteger(const std::string& operand, const Type& to) {
  const char* low = to.kind == TypeKind::kSmallint  ? "-32769"
                    : to.kind == TypeKind::kInteger ? "-2147483649"
                                                    : "-9223372036854777856";
  const char* high = to.kind == TypeKind::kSmallint  ? "32768"
                     : to.kind == TypeKind::kInteger ? "2147483648"
                                                     : "9223372036854775808";
  const auto real = [](const char* text) { return std::string("DOUBLE '") + text + "'"; };
  return "CAST(nullif(nullif(least(greatest(" + RoundEven(CastText(operand, kDoubleType)) + ", " +
         real(low) + "), " + real(high) + "), " + real(low) + "), " + real(high) + ") AS " +
         TypeName(to) + ")";
}

// A year before the first is written with a mark in brackets, one behind 9999 without a sign.
std::string DateToText(const std::string& date) {
  const auto padded = [](const std::string& number, const char* digits) {
    return "lpad(CAST(" + number + " AS varchar), " + digits + ", '0')";
  };
  const std::string rest = " || '-' || " + padded("month(" + date + ")", "2") + " || '-' || " +
                           padded("day(" + date + ")", "2");
  const std::string year = "year(" + date + ")";
  return "CASE WHEN " + year + " > 9999 THEN CAST(" + year + " AS varchar)" + rest + " WHEN " +
         year + " > 0 THEN " + padded(year, "4") + rest + " WHEN " + year + " > -9999 THEN " +
         padded("1 - " + year, "4") + rest + " || ' (BC)' WHEN " + date +
         " IS NOT NULL THEN CAST(1 - " + year + " AS varchar)" + rest + " || ' (BC)' END";
}

Text ToText(const std::string& operand, const Type& from) {
  switch (from.kind) {
    case TypeKind::kBoolean:
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
    case TypeKind::kUuid:
      return CastText(operand, kTextType);
    case TypeKind::kNumeric:  // without digits before its point DuckDB writes no zero there
      if (PrecisionOf(from) == ScaleOf(from)) return std::nullopt;
      return CastText(operand, kTextType);
    case TypeKind::kDate:
      return DateToText(operand);
    default:
      return std::nullopt;
  }
}

bool AlwaysFits(const Type& from, const Type& to) {
  if (to.IsInteger()) return from.IsInteger() && DigitsOf(from) <= DigitsOf(to);
  const int scale = IsNumeric(from) ? ScaleOf(from) : 0;
  const int whole = IsNumeric(from) ? PrecisionOf(from) - scale : DigitsOf(from);
  const int carried = ScaleOf(to) < scale ? 1 : 0;  // 9.9 rounds to 10
  return whole + carried <= PrecisionOf(to) - ScaleOf(to);
}

Text BetweenNumbers(const std::string& operand, const Type& from, const Type& to) {
  if (from.IsFloat()) {
    if (to.IsInteger()) return DoubleToInteger(operand, to);
    if (to.kind == TypeKind::kDouble) return CastText(operand, to);
    return std::nullopt;
  }
  if (to.kind == TypeKind::kDouble) {
    return IsNumeric(from) ? NumericToDouble(operand, from) : CastText(operand, to);
  }
  if (to.IsFloat()) return std::nullopt;
  if (AlwaysFits(from, to)) return CastText(operand, to);
  if (to.IsInteger()) return ToInteger(operand, from, to);
  return ToNumeric(operand, to);
}

}  // namespace

Text Cast(const std::string& operand, const Type& from, const Type& to) {
  if (from == to) return operand;
  const bool is_text = from.kind == TypeKind::kText || from.kind == TypeKind::kUnknown;
  if (is_text && to.kind == TypeKind::kText) return CastText(operand, to);
  if (is_text) return std::nullopt;
  if (to.kind == TypeKind::kText) return ToText(operand, from);
  if (from.IsNumber() && to.IsNumber()) return BetweenNumbers(operand, from, to);
  const auto pair = [&](TypeKind a, TypeKind b) { return from.kind == a && to.kind == b; };
  if (pair(TypeKind::kBoolean, TypeKind::kInteger) ||
      pair(TypeKind::kInteger, TypeKind::kBoolean) || pair(TypeKind::kTimestamp, TypeKind::kDate)) {
    return CastText(operand, to);
  }
  if (pair(TypeKind::kDate, TypeKind::kTimestamp)) return CastText(InCalendar(operand, from), to);
  if (from.kind == TypeKind::kTimestampTz) {
    const std::string utc = ToUtc(InCalendar(operand, from));
    return to.kind == TypeKind::kDate ? CastText(utc, to) : utc;
  }
  if (to.kind == TypeKind::kTimestampTz) {
    const std::string plain = InCalendar(operand, from);
    return OfUtc(from.kind == TypeKind::kDate ? CastText(plain, kTimestampType) : plain);
  }
  return std::nullopt;
}

}  // namespace tacit::sql::trino
