#include "sql/print/trino/trino.h"

#include <cmath>
#include <cstdlib>

#include "sql/print/quote.h"
#include "sql/print/trino/parts.h"

namespace tacit::sql {
namespace trino {

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
      if (type.precision == 0) return "decimal(38,15)";
      return "decimal(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
    case TypeKind::kReal:
      return "real";
    case TypeKind::kDouble:
      return "double";
    case TypeKind::kDate:
      return "date";
    case TypeKind::kTimestamp:
      return "timestamp(6)";
    case TypeKind::kTimestampTz:
      return "timestamp(6) with time zone";
    case TypeKind::kUuid:
      return "uuid";
    case TypeKind::kInterval:  // written out beside an instant only
    case TypeKind::kText:
    case TypeKind::kUnknown:
    case TypeKind::kTime:
    case TypeKind::kOpaque:  // never printed: binding lets nothing look at it
      return "varchar";
  }
  return "varchar";
}

std::string CastText(const std::string& operand, const Type& to) {
  return "CAST(" + operand + " AS " + TypeName(to) + ")";
}

namespace {

std::string FloatText(const std::string& number, const Type& type) {
  const bool real = type.kind == TypeKind::kReal;
  const double value = real ? static_cast<double>(std::strtof(number.c_str(), nullptr))
                            : std::strtod(number.c_str(), nullptr);
  if (!std::isfinite(value)) return CastText("NULL", type);
  return (real ? "REAL '" : "DOUBLE '") + (value == 0 ? std::string("0") : number) + "'";
}

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
      return CastText("TIMESTAMP '" + literal.text + "'", type);
    case LiteralKind::kTimestampTz:
      return CastText("TIMESTAMP '" + literal.text + " UTC'", type);
    case LiteralKind::kInterval:
      return "NULL";  // what may stand beside it reads the literal itself
  }
  return "NULL";
}

}  // namespace

std::string Finite(const std::string& operand, const Type& type) {
  return "CASE WHEN is_finite(" + operand + ") THEN " + operand +
         (type.kind == TypeKind::kReal ? " + REAL '0'" : " + DOUBLE '0'") + " END";
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

}  // namespace trino

std::string TrinoDialect::TypeName(const Type& type) const { return trino::TypeName(type); }

std::string TrinoDialect::Constant(const Literal& literal, const Type& type) const {
  return trino::ConstantText(literal, type);
}

std::string TrinoDialect::Read(const std::string& column, const Type& type) const {
  if (type.kind == TypeKind::kInterval) return Missing("an interval that is computed");
  return type.IsFloat() ? trino::Finite(column, type) : column;
}

Rendering TrinoDialect::FindRendering(std::string_view name) const {
  return trino::FindRendering(name);
}

// An interval has no text of its own: only an instant may stand beside one.
bool TrinoDialect::Takes(const Application& a) const {
  if (a.result.kind == TypeKind::kInterval) return false;
  const std::string_view name = a.apply.function->name;
  if (name == "+" || name == "-") return true;
  for (size_t i = 0; i < a.text.size(); ++i) {
    if (a.type(i).kind == TypeKind::kInterval) return false;
  }
  return true;
}

Text TrinoDialect::CastTo(const std::string& operand, const Type& from, const Type& to) const {
  return trino::Cast(operand, from, to);
}

Text TrinoDialect::AggregateOf(const BoundAggregate& call, const Type& result,
                               const std::vector<std::string>& arguments,
                               const std::string& order_by, const std::string& tail) const {
  return trino::Aggregate(call, result, arguments, order_by, tail);
}

}  // namespace tacit::sql
