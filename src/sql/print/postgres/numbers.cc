#include "sql/print/postgres/parts.h"

// Arithmetic and what is rounded.
namespace tacit::sql::postgres {
namespace {

// The next wider type: there the operation cannot overflow.
std::string Wider(const Type& type) {
  switch (type.kind) {
    case TypeKind::kSmallint:
      return "integer";
    case TypeKind::kInteger:
      return "bigint";
    default:
      return "numeric";
  }
}

std::string InWider(const std::string& text, const Type& type) {
  return "CAST(" + text + " AS " + Wider(type) + ")";
}

bool IsReal(const Application& a) { return a.result.kind == TypeKind::kReal; }

std::string Infix(const Application& a, const char* symbol) {
  return "(" + a.text[0] + " " + symbol + " " + a.text[1] + ")";
}

// Why 4,000,000: beyond the calendar of 9999 years, and within what dates can hold.
std::string AddDays(const std::string& date, const char* symbol, const std::string& days) {
  return "CASE WHEN " + days + " BETWEEN -4000000 AND 4000000 THEN (" +
         InCalendar(date, kDateType) + " " + symbol + " " + days + ") END";
}

// Of an interval that is written out, up to 4,000 years: what comes of the calendar's instants is
// still one that PostgreSQL has.
Text Moved(const Application& a, const char* symbol) {
  const Literal* literal = a.literal(1);
  if (literal == nullptr || literal->kind != LiteralKind::kInterval) return std::nullopt;
  const Interval& by = literal->interval;
  const auto small = [](int64_t part, int64_t most) { return part <= most && part >= -most; };
  if (!small(by.months, 12'000) || !small(by.days, 365'000) ||
      !small(by.microseconds, int64_t{86'400'000'000} * 365'000)) {
    return std::nullopt;
  }
  const std::string instant = InCalendar(a.text[0], a.type(0));
  if (a.type(0).kind != TypeKind::kTimestampTz) {
    return "(" + instant + " " + symbol + " " + a.text[1] + ")";
  }
  const std::string moved = "(timezone('UTC', " + instant + ") " + symbol + " " + a.text[1] + ")";
  return "timezone('UTC', " + InCalendar(moved, kTimestampType) + ")";
}

Text PlusOrMinus(const Application& a, const char* symbol) {
  const Type& left = a.type(0);
  const Type& right = a.type(1);
  if (right.kind == TypeKind::kInterval && left.kind != TypeKind::kInterval) {
    return Moved(a, symbol);
  }
  if (a.result.kind == TypeKind::kDate) {
    const bool date_first = left.kind == TypeKind::kDate;
    return AddDays(a.text[date_first ? 0 : 1], symbol, a.text[date_first ? 1 : 0]);
  }
  if (left.kind == TypeKind::kDate && right.kind == TypeKind::kDate) {
    return "(" + InCalendar(a.text[0], left) + " - " + InCalendar(a.text[1], right) + ")";
  }
  if (a.result.IsInteger()) {
    return Narrowed("(" + InWider(a.text[0], a.result) + " " + symbol + " " +
                        InWider(a.text[1], a.result) + ")",
                    a.result);
  }
  if (a.result.kind == TypeKind::kNumeric) return CastText(Infix(a, symbol), a.result);
  if (a.result.kind == TypeKind::kDouble) return Sum(a, symbol);
  return std::nullopt;
}

Text PrintPlus(const Application& a) { return PlusOrMinus(a, "+"); }
Text PrintMinus(const Application& a) { return PlusOrMinus(a, "-"); }

Text PrintTimes(const Application& a) {
  if (a.result.IsInteger()) {
    return Narrowed("(" + InWider(a.text[0], a.result) + " * " + InWider(a.text[1], a.result) + ")",
                    a.result);
  }
  if (a.result.kind == TypeKind::kNumeric) return CastText(Infix(a, "*"), a.result);
  if (a.result.kind == TypeKind::kDouble) return Product(a);
  return std::nullopt;
}

Text PrintDivide(const Application& a) {
  if (IsReal(a)) return std::nullopt;
  if (!a.result.IsInteger()) return Quotient(a);
  const std::string divisor = "nullif(" + InWider(a.text[1], a.result) + ", 0)";
  const std::string dividend = InWider(a.text[0], a.result);
  // A numeric quotient has digits behind its point.
  return Narrowed(Wider(a.result) == "numeric" ? "div(" + dividend + ", " + divisor + ")"
                                               : "(" + dividend + " / " + divisor + ")",
                  a.result);
}

Text PrintModulo(const Application& a) {
  const std::string rest = "(" + a.text[0] + " % nullif(" + a.text[1] + ", 0))";
  return a.result.IsInteger() ? rest : CastText(rest, a.result);
}

Text PrintNegate(const Application& a) {
  if (a.result.kind == TypeKind::kInterval) return std::nullopt;
  if (!a.result.IsInteger()) return "(-" + a.text[0] + ")";
  return Narrowed("(-" + InWider(a.text[0], a.result) + ")", a.result);
}

Text PrintAbs(const Application& a) {
  if (!a.result.IsInteger()) return "abs(" + a.text[0] + ")";
  return Narrowed("abs(" + InWider(a.text[0], a.result) + ")", a.result);
}

Text PrintWhole(const Application& a) {
  const std::string name(a.apply.function->name == "ceiling" ? "ceil" : a.apply.function->name);
  return CastText(name + "(" + a.text[0] + ")", a.result);
}

// Numerics half away from zero, doubles half to even, both as DuckDB is told to. A double to
// decimals is DuckDB's own.
Text PrintRound(const Application& a) {
  if (a.result.kind != TypeKind::kNumeric) {
    if (a.text.size() != 1 || IsReal(a)) return std::nullopt;
    return "round(" + a.text[0] + ")";
  }
  return CastText("round(" + a.text[0] + ", " + (a.text.size() == 1 ? "0" : a.text[1]) + ")",
                  a.result);
}

Text PrintTrunc(const Application& a) {
  if (a.result.kind != TypeKind::kNumeric) {
    if (a.text.size() != 1 || IsReal(a)) return std::nullopt;
    return "trunc(" + a.text[0] + ")";
  }
  return CastText("trunc(" + a.text[0] + (a.text.size() == 1 ? "" : ", " + a.text[1]) + ")",
                  a.result);
}

Text PrintSqrt(const Application& a) {
  return "sqrt(CASE WHEN " + a.text[0] + " >= 0 THEN " + a.text[0] + " END)";
}
Text PrintPi(const Application&) { return "pi()"; }

}  // namespace

std::string Narrowed(const std::string& wide, const Type& type) {
  const char* low = type.kind == TypeKind::kSmallint  ? "(-32769)"
                    : type.kind == TypeKind::kInteger ? "(-2147483649)"
                                                      : "(-9223372036854775809)";
  const char* high = type.kind == TypeKind::kSmallint  ? "32768"
                     : type.kind == TypeKind::kInteger ? "2147483648"
                                                       : "9223372036854775808";
  return "CAST(nullif(nullif(least(greatest(" + wide + ", " + low + "), " + high + "), " + low +
         "), " + high + ") AS " + TypeName(type) + ")";
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

}  // namespace tacit::sql::postgres
