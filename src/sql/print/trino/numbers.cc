#include "sql/print/trino/parts.h"

// Arithmetic and what is rounded. Trino's whole numbers and decimals raise where a result does not
// fit; its doubles follow IEEE 754 and never do.
namespace tacit::sql::trino {
namespace {

// The next wider type: there the operation cannot overflow. A product of two of 19 digits has 38.
std::string InWider(const std::string& text, const Type& type) {
  const char* wider = type.kind == TypeKind::kSmallint  ? "integer"
                      : type.kind == TypeKind::kInteger ? "bigint"
                                                        : "decimal(19,0)";
  return "CAST(" + text + " AS " + wider + ")";
}

bool IsReal(const Application& a) { return a.result.kind == TypeKind::kReal; }
bool IsNumeric(const Application& a) { return a.result.kind == TypeKind::kNumeric; }

std::string Infix(const Application& a, const char* symbol) {
  return "(" + a.text[0] + " " + symbol + " " + a.text[1] + ")";
}

// Of finite operands and a divisor that is not zero: NaN is not among what comes of them.
std::string WithoutInfinities(const std::string& text) {
  return "nullif(nullif(" + text + ", infinity()), -infinity())";
}

std::string Added(const std::string& unit, const std::string& number, const std::string& instant) {
  return "date_add('" + unit + "', " + number + ", " + instant + ")";
}

// Why 4,000,000: beyond the calendar of 9999 years, and within what dates can hold.
std::string AddDays(const std::string& date, bool back, const std::string& days) {
  return "CASE WHEN " + days + " BETWEEN -4000000 AND 4000000 THEN " +
         Added("day", (back ? "-" : "") + days, InCalendar(date, kDateType)) + " END";
}

// Of an interval that is written out, up to 4,000 years, in whole milliseconds: months first, then
// days, then the rest.
Text Moved(const Application& a, bool back) {
  const Literal* literal = a.literal(1);
  if (literal == nullptr || literal->kind != LiteralKind::kInterval) return std::nullopt;
  const Interval& by = literal->interval;
  const auto small = [](int64_t part, int64_t most) { return part <= most && part >= -most; };
  if (!small(by.months, 12'000) || !small(by.days, 365'000) || by.microseconds % 1000 != 0 ||
      !small(by.microseconds, int64_t{86'400'000'000} * 365'000)) {
    return std::nullopt;
  }
  const bool zoned = a.type(0).kind == TypeKind::kTimestampTz;
  const auto number = [back](int64_t part) { return std::to_string(back ? -part : part); };
  std::string moved = InCalendar(a.text[0], a.type(0));
  if (zoned) moved = ToUtc(moved);
  if (by.months != 0) moved = Added("month", number(by.months), moved);
  if (by.days != 0) moved = Added("day", number(by.days), moved);
  if (by.microseconds != 0) moved = Added("millisecond", number(by.microseconds / 1000), moved);
  return zoned ? OfUtc(InCalendar(moved, kTimestampType)) : moved;
}

Text PlusOrMinus(const Application& a, const char* symbol) {
  const bool back = symbol[0] == '-';
  const Type& left = a.type(0);
  const Type& right = a.type(1);
  if (right.kind == TypeKind::kInterval && left.kind != TypeKind::kInterval) return Moved(a, back);
  if (a.result.kind == TypeKind::kDate) {
    const bool date_first = left.kind == TypeKind::kDate;
    return AddDays(a.text[date_first ? 0 : 1], back, a.text[date_first ? 1 : 0]);
  }
  if (left.kind == TypeKind::kDate && right.kind == TypeKind::kDate) {
    return CastText("date_diff('day', " + InCalendar(a.text[1], right) + ", " +
                        InCalendar(a.text[0], left) + ")",
                    a.result);
  }
  if (a.result.IsInteger()) {
    return Narrowed("(" + InWider(a.text[0], a.result) + " " + symbol + " " +
                        InWider(a.text[1], a.result) + ")",
                    a.result);
  }
  if (IsNumeric(a)) return CastText(Infix(a, symbol), a.result);
  if (a.result.kind == TypeKind::kDouble) return WithoutInfinities(Infix(a, symbol));
  return std::nullopt;
}

Text PrintPlus(const Application& a) { return PlusOrMinus(a, "+"); }
Text PrintMinus(const Application& a) { return PlusOrMinus(a, "-"); }

Text PrintTimes(const Application& a) {
  if (a.result.IsInteger()) {
    return Narrowed("(" + InWider(a.text[0], a.result) + " * " + InWider(a.text[1], a.result) + ")",
                    a.result);
  }
  if (IsNumeric(a)) return CastText(Infix(a, "*"), a.result);
  if (a.result.kind != TypeKind::kDouble) return std::nullopt;
  return WithoutInfinities(Infix(a, "*"));
}

Text PrintDivide(const Application& a) {
  if (IsReal(a)) return std::nullopt;
  const std::string& x = a.text[0];
  const std::string& y = a.text[1];
  if (!a.result.IsInteger()) return WithoutInfinities("(" + x + " / nullif(" + y + ", 0))");
  // The least number by -1 is the one quotient that does not fit; decimals would round theirs.
  return "CASE WHEN " + y + " = -1 THEN " + Narrowed("(-" + InWider(x, a.result) + ")", a.result) +
         " ELSE " + x + " / nullif(" + y + ", 0) END";
}

Text PrintModulo(const Application& a) {
  return CastText("(" + a.text[0] + " % nullif(" + a.text[1] + ", 0))", a.result);
}

Text PrintNegate(const Application& a) {
  if (!a.result.IsInteger()) return "(-" + a.text[0] + ")";
  return Narrowed("(-" + InWider(a.text[0], a.result) + ")", a.result);
}

Text PrintAbs(const Application& a) {
  if (!a.result.IsInteger()) return "abs(" + a.text[0] + ")";
  return Narrowed("abs(" + InWider(a.text[0], a.result) + ")", a.result);
}

Text PrintWhole(const Application& a) {
  const std::string name(a.apply.function->name == "ceil" ? "ceiling" : a.apply.function->name);
  return CastText(name + "(" + a.text[0] + ")", a.result);
}

// Decimals half away from zero, doubles half to even, both as DuckDB is told to. One of 38 digits
// has no room to be rounded up in.
Text PrintRound(const Application& a) {
  if (IsNumeric(a)) {
    if (a.type(0).precision == kNumericPrecisionMax || a.type(0).precision == 0) {
      return std::nullopt;
    }
    const std::string digits = a.text.size() == 1 ? "0" : std::to_string(NumberAt(a, 1));
    return CastText("round(" + a.text[0] + ", " + digits + ")", a.result);
  }
  if (a.text.size() != 1 || IsReal(a)) return std::nullopt;
  return RoundEven(a.text[0]);
}

Text PrintTrunc(const Application& a) {
  if (!IsNumeric(a) && (a.text.size() != 1 || IsReal(a))) return std::nullopt;
  const std::string digits = a.text.size() == 1 ? "" : ", " + std::to_string(NumberAt(a, 1));
  return CastText("truncate(" + a.text[0] + digits + ")", a.result);
}

Text PrintSqrt(const Application& a) {
  return "sqrt(CASE WHEN " + a.text[0] + " >= 0 THEN " + a.text[0] + " END)";
}
Text PrintPi(const Application&) { return "pi()"; }

}  // namespace

std::string Narrowed(const std::string& wide, const Type& type) {
  const char* low = type.kind == TypeKind::kSmallint  ? "-32769"
                    : type.kind == TypeKind::kInteger ? "-2147483649"
                                                      : "DECIMAL '-9223372036854775809'";
  const char* high = type.kind == TypeKind::kSmallint  ? "32768"
                     : type.kind == TypeKind::kInteger ? "2147483648"
                                                       : "DECIMAL '9223372036854775808'";
  return "CAST(nullif(nullif(least(greatest(" + wide + ", " + low + "), " + high + "), " + low +
         "), " + high + ") AS " + TypeName(type) + ")";
}

// Beside 2^52 a double has no digits behind its point: adding it rounds, ties to even.
std::string RoundEven(const std::string& operand) {
  const std::string most = "DOUBLE '4503599627370496'";
  return "CASE WHEN abs(" + operand + ") >= " + most + " THEN " + operand + " WHEN " + operand +
         " < 0 THEN (" + operand + " - " + most + ") + " + most + " ELSE (" + operand + " + " +
         most + ") - " + most + " END";
}

Renderings ArithmeticRenderings() {
  return {{"+", PrintPlus},   {"-", PrintMinus},    {"*", PrintTimes}, {"/", PrintDivide},
          {"%", PrintModulo}, {"mod", PrintModulo}, {"abs", PrintAbs}, {"negate", PrintNegate}};
}

Renderings MathRenderings() {
  return {{"ceil", PrintWhole}, {"ceiling", PrintWhole}, {"floor", PrintWhole},
          {"sign", PrintWhole}, {"round", PrintRound},   {"trunc", PrintTrunc},
          {"sqrt", PrintSqrt},  {"pi", PrintPi}};
}

}  // namespace tacit::sql::trino
