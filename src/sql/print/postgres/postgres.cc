#include "sql/print/postgres/postgres.h"

#include <cmath>
#include <cstdlib>

#include "sql/print/postgres/parts.h"
#include "sql/print/quote.h"

namespace tacit::sql {
namespace postgres {

std::string TypeName(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return "boolean";
    case TypeKind::kSmallint:
      return "smallint";
    case TypeKind::kInteger:
      return "integer";
    case TypeKind::kBigint:
      return "bigint";
    case TypeKind::kNumeric:
      if (type.precision == 0) return "numeric(38,15)";
      return "numeric(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
    case TypeKind::kReal:
      return "real";
    case TypeKind::kDouble:
      return "double precision";
    case TypeKind::kDate:
      return "date";
    case TypeKind::kTimestamp:
      return "timestamp without time zone";
    case TypeKind::kTimestampTz:
      return "timestamp with time zone";
    case TypeKind::kInterval:
      return "interval";
    case TypeKind::kUuid:
      return "uuid";
    case TypeKind::kText:
    case TypeKind::kUnknown:
    case TypeKind::kTime:
    case TypeKind::kOpaque:  // never printed: binding lets nothing look at it
      return "text";
  }
  return "text";
}

std::string InC(const std::string& text) { return "(" + text + " COLLATE \"C\")"; }

std::string CastText(const std::string& operand, const Type& to) {
  const std::string text = "CAST(" + operand + " AS " + TypeName(to) + ")";
  return TypeName(to) == "text" ? InC(text) : text;
}

namespace {

// strtod's word is PostgreSQL's: beyond all doubles it raises, and so it does for what is nearer to
// zero than any.
std::string FloatText(const std::string& number, const Type& type) {
  const bool real = type.kind == TypeKind::kReal;
  const double value = real ? static_cast<double>(std::strtof(number.c_str(), nullptr))
                            : std::strtod(number.c_str(), nullptr);
  if (!std::isfinite(value)) return "CAST(NULL AS " + TypeName(type) + ")";
  return "CAST('" + (value == 0 ? std::string("0") : number) + "' AS " + TypeName(type) + ")";
}

std::string IntervalText(const Interval& interval) {
  return "CAST('" + std::to_string(interval.months) + " mons " + std::to_string(interval.days) +
         " days " + std::to_string(interval.microseconds) + " microseconds' AS interval)";
}

}  // namespace

std::string ConstantText(const Literal& literal, const Type& type) {
  switch (literal.kind) {
    case LiteralKind::kNull:
      return CastText("NULL", type);
    case LiteralKind::kBoolean:
      return literal.text == "true" ? "TRUE" : "FALSE";
    case LiteralKind::kInteger:
    case LiteralKind::kNumeric:
      if (type.IsFloat()) return FloatText(literal.text, type);
      return CastText("'" + literal.text + "'", type);
    case LiteralKind::kString:
      return CastText(QuoteString(literal.text), type);
    case LiteralKind::kDate:
      return "DATE '" + literal.text + "'";
    case LiteralKind::kTimestamp:
      return "TIMESTAMP '" + literal.text + "'";
    case LiteralKind::kTimestampTz:
      return "TIMESTAMPTZ '" + literal.text + "+00'";
    case LiteralKind::kInterval:
      return IntervalText(literal.interval);
  }
  return "NULL";
}

std::string Finite(const std::string& operand, const Type& type) {
  return "(nullif(nullif(nullif(" + operand + ", 'Infinity'), '-Infinity'), 'NaN') + CAST(0 AS " +
         TypeName(type) + "))";
}

Rendering FindRendering(std::string_view name) {
  static const Renderings all = [] {
    Renderings joined;
    for (const Renderings& family : {ArithmeticRenderings(), ComparisonRenderings(),
                                     MathRenderings(), TextRenderings(), DateRenderings()}) {
      joined.insert(family.begin(), family.end());
    }
    return joined;
  }();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace postgres

std::string PostgresDialect::TypeName(const Type& type) const { return postgres::TypeName(type); }

std::string PostgresDialect::Constant(const Literal& literal, const Type& type) const {
  return postgres::ConstantText(literal, type);
}

std::string PostgresDialect::Read(const std::string& column, const Type& type) const {
  return type.IsFloat() ? postgres::Finite(column, type) : column;
}

Rendering PostgresDialect::FindRendering(std::string_view name) const {
  return postgres::FindRendering(name);
}

Text PostgresDialect::CastTo(const std::string& operand, const Type& from, const Type& to) const {
  return postgres::Cast(operand, from, to);
}

Text PostgresDialect::AggregateOf(const BoundAggregate& call, const Type& result,
                                  const std::vector<std::string>& arguments,
                                  const std::string& order_by, const std::string& tail) const {
  return postgres::Aggregate(call, result, arguments, order_by, tail);
}

std::string PostgresDialect::Applied(const std::string& text, const Type& result) const {
  return result.kind == TypeKind::kText ? postgres::InC(text) : text;
}

}  // namespace tacit::sql
