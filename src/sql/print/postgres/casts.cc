#include "sql/print/postgres/parts.h"

// Conversions. Of texts into other types there are none: what PostgreSQL reads is not what DuckDB
// is told to read, and it raises on the rest.
namespace tacit::sql::postgres {
namespace {

int DigitsOf(const Type& integer) {
  return integer.kind == TypeKind::kSmallint ? 5 : integer.kind == TypeKind::kInteger ? 10 : 19;
}

bool IsNumeric(const Type& type) { return type.kind == TypeKind::kNumeric; }
int PrecisionOf(const Type& type) { return type.precision == 0 ? 38 : type.precision; }
int ScaleOf(const Type& type) { return type.precision == 0 ? 15 : type.scale; }

// A numeric as one of `to`, NULL where it has more digits before its point.
std::string NarrowedNumeric(const std::string& operand, const Type& to) {
  const std::string most = PowerOfTen(PrecisionOf(to) - ScaleOf(to));
  return "CAST(nullif(nullif(least(greatest(round(" + operand + ", " + std::to_string(ScaleOf(to)) +
         "), -" + most + "), " + most + "), -" + most + "), " + most + ") AS " + TypeName(to) + ")";
}

// Whole steps over a power of ten, as DuckDB computes it: in two parts where the steps are no
// double.
Text NumericToDouble(const std::string& operand, const Type& from) {
  if (PrecisionOf(from) <= 15) return "CAST(" + operand + " AS double precision)";
  if (PrecisionOf(from) > 18) return std::nullopt;
  const std::string power = PowerOfTen(ScaleOf(from));
  const std::string steps = "CAST(" + operand + " * " + power + " AS bigint)";
  const auto real = [](const std::string& text) {
    return "CAST(" + text + " AS double precision)";
  };
  return "CASE WHEN " + steps + " BETWEEN -9007199254740992 AND 9007199254740992 THEN " +
         real(steps) + " / " + real(power) + " ELSE " + real("(" + steps + " / " + power + ")") +
         " + " + real("(" + steps + " % " + power + ")") + " / " + real(power) + " END";
}

// To the nearest, ties to even. 2^63 is a double, and below -2^63 the next one is 2,048 less.
std::string DoubleToInteger(const std::string& operand, const Type& to) {
  const char* low = to.kind == TypeKind::kSmallint  ? "-32769"
                    : to.kind == TypeKind::kInteger ? "-2147483649"
                                                    : "-9223372036854777856";
  const char* high = to.kind == TypeKind::kSmallint  ? "32768"
                     : to.kind == TypeKind::kInteger ? "2147483648"
                                                     : "9223372036854775808";
  const auto real = [](const char* text) {
    return std::string("CAST('") + text + "' AS double precision)";
  };
  return "CAST(nullif(nullif(least(greatest(round(CAST(" + operand + " AS double precision)), " +
         real(low) + "), " + real(high) + "), " + real(low) + "), " + real(high) + ") AS " +
         TypeName(to) + ")";
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
    case TypeKind::kDate:  // a year before the first is written with its mark in brackets
      return InC("replace(CAST(" + operand + " AS text), ' BC', ' (BC)')");
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
  if (to.IsInteger()) return Narrowed(IsNumeric(from) ? "round(" + operand + ", 0)" : operand, to);
  return NarrowedNumeric("CAST(" + operand + " AS numeric)", to);
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
    const std::string utc = "timezone('UTC', " + InCalendar(operand, from) + ")";
    return to.kind == TypeKind::kDate ? CastText(utc, to) : utc;
  }
  if (to.kind == TypeKind::kTimestampTz) {
    const std::string plain = InCalendar(operand, from);
    return "timezone('UTC', " +
           (from.kind == TypeKind::kDate ? CastText(plain, kTimestampType) : plain) + ")";
  }
  return std::nullopt;
}

}  // namespace tacit::sql::postgres
