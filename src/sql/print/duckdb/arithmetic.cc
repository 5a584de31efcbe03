#include "sql/parse/literal.h"
#include "sql/print/duckdb/parts.h"

namespace tacit::sql::duckdb {
namespace {

// The next wider type: there the operation cannot overflow, and TRY_CAST back makes NULL of what
// does not fit.
std::string Wider(const Type& type) {
  switch (type.kind) {
    case TypeKind::kSmallint:
      return "INTEGER";
    case TypeKind::kInteger:
      return "BIGINT";
    default:
      return "HUGEINT";
  }
}

std::string InWider(const std::string& left, const char* symbol, const std::string& right,
                    const Type& type) {
  const std::string wide = Wider(type);
  return TryCast(
      "(CAST(" + left + " AS " + wide + ") " + symbol + " CAST(" + right + " AS " + wide + "))",
      type);
}

std::string Exactly(const std::string& text, const Type& type) {
  return "CAST((" + text + ") AS " + TypeName(type) + ")";
}

// A float operation that could leave the finite numbers is NULL there.
std::string Floating(const Application& a, const std::string& symbol) {
  if (!MayOverflow(a)) return "(" + a.text[0] + " " + symbol + " " + a.text[1] + ")";
  return Finite("(" + Unguarded(a.text[0]) + " " + symbol + " " + Unguarded(a.text[1]) + ")",
                a.result);
}

std::string AddDays(const std::string& date, const char* symbol, const std::string& days) {
  // Why 4,000,000: beyond the calendar of 9999 years, and within what DuckDB's dates can hold.
  return "CASE WHEN " + days + " BETWEEN -4000000 AND 4000000 THEN (" +
         InCalendar(date, Simple(TypeKind::kDate)) + " " + symbol + " " + days + ") END";
}

std::string Plus(const Application& a, const char* symbol) {
  const Type& left = a.type(0);
  const Type& right = a.type(1);
  if (a.result.kind == TypeKind::kDate) {
    const bool date_first = left.kind == TypeKind::kDate;
    return AddDays(a.text[date_first ? 0 : 1], symbol, a.text[date_first ? 1 : 0]);
  }
  if (left.kind == TypeKind::kDate && right.kind == TypeKind::kDate) {
    return "CAST((" + InCalendar(a.text[0], left) + " - " + InCalendar(a.text[1], right) +
           ") AS INTEGER)";
  }
  if (left.kind == TypeKind::kTimestampTz && right.kind == TypeKind::kTimestampTz) {
    return "(timezone('UTC', " + InCalendar(a.text[0], left) + ") - timezone('UTC', " +
           InCalendar(a.text[1], right) + "))";
  }
  if (left.kind == TypeKind::kTimestampTz) {
    const std::string moved =
        "(timezone('UTC', " + InCalendar(a.text[0], left) + ") " + symbol + " " + a.text[1] + ")";
    return "timezone('UTC', " + InCalendar(moved, Simple(TypeKind::kTimestamp)) + ")";
  }
  if (left.kind == TypeKind::kTimestamp) {
    const bool interval = right.kind == TypeKind::kInterval;
    return "(" + InCalendar(a.text[0], left) + " " + symbol + " " +
           (interval ? a.text[1] : InCalendar(a.text[1], right)) + ")";
  }
  if (a.result.IsInteger()) return InWider(a.text[0], symbol, a.text[1], a.result);
  if (a.result.kind != TypeKind::kNumeric) return Floating(a, symbol);
  return Exactly("(" + a.text[0] + " " + symbol + " " + a.text[1] + ")", a.result);
}

std::string RenderPlus(const Application& a) { return Plus(a, "+"); }
std::string RenderMinus(const Application& a) { return Plus(a, "-"); }

// INTERVAL '1 day' * n. The engine raises where it would be longer than an interval may be.
std::string Repeated(const Application& a) {
  const size_t place = a.type(0).kind == TypeKind::kInterval ? 0 : 1;
  const std::string most = std::to_string(TimesMax(a.literal(place)->interval));
  const std::string& times = a.text[1 - place];
  return "(" + a.text[place] + " * CAST(CASE WHEN " + times + " BETWEEN -" + most + " AND " + most +
         " THEN " + times + " END AS BIGINT))";
}

std::string RenderTimes(const Application& a) {
  if (a.result.kind == TypeKind::kInterval) return Repeated(a);
  if (a.result.IsInteger()) return InWider(a.text[0], "*", a.text[1], a.result);
  if (a.result.kind != TypeKind::kNumeric) return Floating(a, "*");
  // DuckDB keeps a product of two decimals of up to 18 digits at 18 digits and raises beyond, so
  // the operands get the product's digits first.
  const auto operand = [&a](size_t i) {
    const Type wide = Numeric(a.result.precision, a.type(i).scale);
    return "CAST(" + a.text[i] + " AS " + TypeName(wide) + ")";
  };
  return Exactly(operand(0) + " * " + operand(1), a.result);
}

// A divisor that is written out and neither 0 nor -1 needs no guard.
bool IsPlainDivisor(const Application& a) {
  const Literal* literal = a.literal(1);
  return literal != nullptr && literal->kind == LiteralKind::kInteger && literal->text != "0" &&
         literal->text != "-1";
}

std::string RenderDivide(const Application& a) {
  if (!a.result.IsInteger()) {
    const std::string divisor = " / nullif(" + a.text[1] + ", 0))";
    if (!MayOverflow(a)) return "(" + a.text[0] + divisor;
    return Finite("(" + Unguarded(a.text[0]) + divisor, a.result);
  }
  if (IsPlainDivisor(a)) return "(" + a.text[0] + " // " + a.text[1] + ")";
  return InWider(a.text[0], "//", a.text[1], a.result);
}

std::string RenderModulo(const Application& a) {
  if (!a.result.IsInteger()) {
    return Exactly(a.text[0] + " % nullif(" + a.text[1] + ", 0)", a.result);
  }
  if (IsPlainDivisor(a)) return "(" + a.text[0] + " % " + a.text[1] + ")";
  return InWider(a.text[0], "%", a.text[1], a.result);
}

// Where PostgreSQL raises, the C library gives NaN or an infinity.
std::string RenderPower(const Application& a) {
  return Finite("pow(" + a.text[0] + ", " + a.text[1] + ")", a.result);
}

std::string RenderNegate(const Application& a) {
  if (!a.result.IsInteger()) return "(-" + a.text[0] + ")";
  return TryCast("(-CAST(" + a.text[0] + " AS " + Wider(a.result) + "))", a.result);
}

std::string RenderAbs(const Application& a) {
  if (!a.result.IsInteger()) return "abs(" + a.text[0] + ")";
  return TryCast("abs(CAST(" + a.text[0] + " AS " + Wider(a.result) + "))", a.result);
}

}  // namespace

Renderings ArithmeticRenderings() {
  return {{"+", RenderPlus},        {"-", RenderMinus},     {"*", RenderTimes},
          {"/", RenderDivide},      {"%", RenderModulo},    {"mod", RenderModulo},
          {"^", RenderPower},       {"power", RenderPower}, {"pow", RenderPower},
          {"negate", RenderNegate}, {"abs", RenderAbs}};
}

}  // namespace tacit::sql::duckdb
