#include "sql/print/duckdb_parts.h"

namespace tacit::sql::duckdb {
namespace {

// DuckDB reads '1.5' and '1e3' as integers and '0x1F' as a number, where PostgreSQL raises. Only
// what PostgreSQL reads is let through; everything else becomes the empty text, which converts to
// NULL. RE2 takes linear time.
std::string Matching(const std::string& operand, const std::string& pattern) {
  return "regexp_extract(" + operand + ", '^\\s*(" + pattern + ")\\s*$', 1)";
}

std::string TryCast(const std::string& operand, const Type& to) {
  return "TRY_CAST(" + operand + " AS " + TypeName(to) + ")";
}

std::string FromText(const std::string& operand, const Type& to) {
  switch (to.kind) {
    case TypeKind::kSmallint:
    case TypeKind::kInteger:
    case TypeKind::kBigint:
      return TryCast(Matching(operand, "[-+]?[0-9]+"), to);
    case TypeKind::kNumeric:
    case TypeKind::kReal:
    case TypeKind::kDouble:
      return TryCast(
          Matching(operand, "[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?"), to);
    case TypeKind::kDate:
      return TryCast(Matching(operand, "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"), to);
    case TypeKind::kTimestamp:
      return TryCast(Matching(operand,
                              "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[ T][0-9]{2}:[0-9]{2}"
                              "(?::[0-9]{2}(?:\\.[0-9]{1,6})?)?)?"),
                     to);
    case TypeKind::kBoolean:
      return "TRY_CAST(regexp_replace(regexp_replace(lower(" +
             Matching(operand, "[a-zA-Z01]{1,5}") +
             "), '^(t|tr|tru|y|ye|yes|on|1)$', 'true'), '^(f|fa|fal|fals|n|no|of|off|0)$', "
             "'false') "
             "AS BOOLEAN)";
    default:
      return TryCast(operand, to);
  }
}

std::string ToText(const std::string& operand, const Type& from) {
  const std::string text = "CAST(" + operand + " AS VARCHAR)";
  // PostgreSQL writes the double 1 as 1, DuckDB as 1.0.
  return from.IsFloat() ? "regexp_replace(" + text + ", '\\.0$', '')" : text;
}

}  // namespace

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
  return TryCast(operand, to);
}

}  // namespace tacit::sql::duckdb
