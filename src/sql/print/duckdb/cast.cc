#include "base/mutant.h"
#include "sql/print/duckdb/parts.h"

namespace tacit::sql::duckdb {
namespace {

// DuckDB reads '1.5' and '1e3' as integers and '0x1F' as a number, where PostgreSQL raises. Only
// what PostgreSQL reads is let through; everything else becomes the empty text, which converts to
// NULL. RE2 takes linear time.
std::string Matching(const std::string& operand, const std::string& pattern) {
  return "regexp_extract(" + operand + ", '^\\s*(" + pattern + ")\\s*$', 1)";
}

int DigitsOf(const Type& integer) {
  return integer.kind == TypeKind::kSmallint ? 5 : integer.kind == TypeKind::kInteger ? 10 : 19;
}

std::string PlainCast(const std::string& operand, const Type& to) {
  return "CAST(" + operand + " AS " + TypeName(to) + ")";
}

std::string FromText(const std::string& operand, const Type& to) {
  switch (to.kind) {
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      return TryCast(Matching(operand, "[-+]?[0-9]+"), to);
    case TypeKind::kNumeric:
    case TypeKind::kReal:
    case TypeKind::kDouble: {
      const std::string number = TryCast(
          Matching(operand, "[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?"), to);
      return to.IsFloat() ? Finite(number, to) : number;  // 1e999 would be an infinity
    }
    case TypeKind::kDate:
      return TryCast(Matching(operand, "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"), to);
    case TypeKind::kTimestamp:
      return TryCast(Matching(operand,
                              "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[ T][0-9]{2}:[0-9]{2}"
                              "(?::[0-9]{2}(?:\\.[0-9]{1,6})?)?)?"),
                     to);
    case TypeKind::kBoolean:
      return TryCast("regexp_replace(regexp_replace(lower(" + Matching(operand, "[a-zA-Z01]{1,5}") +
                         "), '^(t|tr|tru|y|ye|yes|on|1)$', 'true'), "
                         "'^(f|fa|fal|fals|n|no|of|off|0)$', 'false')",
                     to);
    case TypeKind::kText:
    case TypeKind::kUnknown:
      return PlainCast(operand, to);
    default:
      return TryCast(operand, to);
  }
}

std::string ToText(const std::string& operand, const Type& from) {
  if (from.kind == TypeKind::kTimestampTz) {
    return "(CAST(timezone('UTC', " + InCalendar(operand, from) + ") AS VARCHAR) || '+00')";
  }
  if (from.kind == TypeKind::kTimestamp) {
    return "CAST(" + OfItsType(operand, from) + " AS VARCHAR)";
  }
  if (!from.IsFloat()) return "CAST(" + operand + " AS VARCHAR)";
  // PostgreSQL writes the double 1 as 1, DuckDB as 1.0. Equal numbers have one text: -0 is 0.
  return "regexp_replace(CAST(" + Finite(operand, from) + " AS VARCHAR), '\\.0$', '')";
}

}  // namespace

std::string OfItsType(const std::string& operand, const Type& type) {
  if (TACIT_MUTANT("any_stored_value")) return operand;
  const auto where = [&operand](const std::string& condition) {
    return "CASE WHEN " + condition + " THEN " + operand + " END";
  };
  if (type.kind == TypeKind::kNumeric && type.precision > 0) {
    const auto nines = [](int count) { return std::string(static_cast<size_t>(count), '9'); };
    const std::string most = "0" + nines(type.precision - type.scale) + "." + nines(type.scale);
    const std::string tail = most + "' AS " + TypeName(type) + ")";
    return where(operand + " BETWEEN CAST('-" + tail + " AND CAST('" + tail);
  }
  if (type.kind != TypeKind::kTimestamp && type.kind != TypeKind::kTimestampTz) return operand;
  const char* first = type.kind == TypeKind::kTimestamp
                          ? "TIMESTAMP '290309-12-22 (BC) 00:00:00'"
                          : "TIMESTAMPTZ '290309-12-22 (BC) 00:00:00+00'";
  return where("NOT isfinite(" + operand + ") OR " + operand + " >= " + first);
}

std::string TryCast(const std::string& operand, const Type& to) {
  const std::string cast = "TRY_CAST(" + operand + " AS " + TypeName(to) + ")";
  return TACIT_MUTANT("overflow_compared") ? cast : "least(" + cast + ")";
}

bool AlwaysFits(const Type& from, const Type& to) {
  if (from == to) return true;
  if (from.IsInteger() && to.IsInteger()) return DigitsOf(from) <= DigitsOf(to);
  if ((from.IsInteger() || from.kind == TypeKind::kNumeric) && to.IsFloat()) return true;
  if (from.kind == TypeKind::kReal && to.kind == TypeKind::kDouble) return true;
  const bool numeric = from.kind == TypeKind::kNumeric && from.precision > 0;
  if (to.kind == TypeKind::kNumeric && to.precision > 0 && (from.IsInteger() || numeric)) {
    const int whole = numeric ? from.precision - from.scale : DigitsOf(from);
    const int carried = numeric && to.scale < from.scale ? 1 : 0;  // 9.9 rounds to 10
    return whole + carried <= to.precision - to.scale;
  }
  const auto pair = [&](TypeKind a, TypeKind b) { return from.kind == a && to.kind == b; };
  return pair(TypeKind::kTimestamp, TypeKind::kDate) ||
         pair(TypeKind::kBoolean, TypeKind::kInteger) ||
         pair(TypeKind::kInteger, TypeKind::kBoolean);
}

std::string Cast(const std::string& operand, const Type& from, const Type& to) {
  if (from.kind == TypeKind::kText || from.kind == TypeKind::kUnknown) return FromText(operand, to);
  if (to.kind == TypeKind::kText) return ToText(operand, from);
  if (from.IsFloat() && to.IsInteger()) {
    // PostgreSQL rounds to the nearest, ties to even.
    return TryCast("round_even(CAST(" + operand + " AS DOUBLE), 0)", to);
  }
  if (from.IsFloat() && to.kind == TypeKind::kNumeric) {
    // Through the shortest decimal text, as PostgreSQL does: 1.005 rounds to 1.01.
    return TryCast("CAST(" + operand + " AS VARCHAR)", to);
  }
  if (from.kind == TypeKind::kDate && to.kind == TypeKind::kTimestamp) {
    return "CAST(" + InCalendar(operand, from) + " AS TIMESTAMP)";
  }
  // Never by a plain cast: that would ask the connection for its zone.
  if (from.kind == TypeKind::kTimestampTz && to.kind != from.kind) {
    const std::string utc = "timezone('UTC', " + InCalendar(operand, from) + ")";
    return to.kind == TypeKind::kDate ? "CAST(" + utc + " AS DATE)" : utc;
  }
  if (to.kind == TypeKind::kTimestampTz && to.kind != from.kind) {
    const std::string plain = InCalendar(operand, from);
    return "timezone('UTC', " +
           (from.kind == TypeKind::kDate ? "CAST(" + plain + " AS TIMESTAMP)" : plain) + ")";
  }
  return AlwaysFits(from, to) ? PlainCast(operand, to) : TryCast(operand, to);
}

}  // namespace tacit::sql::duckdb
