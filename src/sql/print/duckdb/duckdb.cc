#include "sql/print/duckdb/duckdb.h"

#include <cmath>
#include <cstdlib>

#include "base/mutant.h"
#include "sql/print/duckdb/parts.h"
#include "sql/print/quote.h"

namespace tacit::sql {
namespace {

class DuckDb : public Dialect {
 public:
  std::string Identifier(const std::string& name) const override { return QuoteIdentifier(name); }
  std::string TypeName(const Type& type) const override { return duckdb::TypeName(type); }
  std::string Constant(const Literal& literal, const Type& type) const override {
    return duckdb::Constant(literal, type);
  }
  std::string Read(const std::string& column, const Type& type) const override {
    if (type.IsFloat()) return duckdb::Finite(column, type);
    // An unsigned integer of 64 bits, which has functions of its own, and no negative.
    if (type == Numeric(20, 0)) {
      return duckdb::OfItsType("CAST(" + column + " AS " + TypeName(type) + ")", type);
    }
    return duckdb::OfItsType(column, type);
  }
  std::string CanonicalKey(const std::string& key, const Type& type) const override {
    if (TACIT_MUTANT("key_spelling_kept")) return key;
    if (type.IsFloat()) return duckdb::Finite(key, type);
    if (type.kind == TypeKind::kInterval) return "normalized_interval(" + key + ")";
    return key;
  }
  bool Knows(const Function& function) const override {
    return duckdb::FindRendering(function.name) != nullptr;
  }
  std::string Apply(const BoundApply& apply, const Type& result,
                    const std::vector<std::string>& arguments) const override {
    const duckdb::Rendering rendering = duckdb::FindRendering(apply.function->name);
    TACIT_ASSERT(rendering != nullptr);
    return rendering({.apply = apply, .result = result, .text = arguments});
  }
  std::string Cast(const std::string& operand, const Type& from, const Type& to) const override {
    return duckdb::Cast(operand, from, to);
  }
  std::string Aggregate(const BoundAggregate& call, const Type& result,
                        const std::vector<std::string>& arguments, const std::string& order_by,
                        const std::string& tail) const override {
    return duckdb::Aggregate(call, result, arguments, order_by, tail);
  }
};

class DuckDbInsideUnit final : public DuckDb {
 public:
  std::string Aggregate(const BoundAggregate& call, const Type& result,
                        const std::vector<std::string>& arguments, const std::string& order_by,
                        const std::string& tail) const override {
    return duckdb::AggregateInAnyOrder(call, result, arguments, order_by, tail);
  }
  BoundWindow WindowOf(const BoundAggregate& call, const Type& result) const override {
    return duckdb::WindowInAnyOrder(call, result);
  }
};

}  // namespace

const Dialect& DuckDbDialect() {
  static const DuckDb dialect;
  return dialect;
}

const Dialect& DuckDbInsideUnitDialect() {
  static const DuckDbInsideUnit dialect;
  return dialect;
}

namespace duckdb {

std::string TypeName(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return "BOOLEAN";
    case TypeKind::kSmallint:
      return "SMALLINT";
    case TypeKind::kInteger:
      return "INTEGER";
    case TypeKind::kBigint:
      return "BIGINT";
    case TypeKind::kNumeric:
      if (type.precision == 0) return "DECIMAL(38,15)";
      return "DECIMAL(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
    case TypeKind::kReal:
      return "REAL";
    case TypeKind::kDouble:
      return "DOUBLE";
    case TypeKind::kDate:
      return "DATE";
    case TypeKind::kTimestamp:
      return "TIMESTAMP";
    case TypeKind::kTimestampTz:
      return "TIMESTAMPTZ";
    case TypeKind::kInterval:
      return "INTERVAL";
    case TypeKind::kUuid:
      return "UUID";
    case TypeKind::kText:
    case TypeKind::kUnknown:
    case TypeKind::kTime:
    case TypeKind::kOpaque:  // never printed: binding lets nothing look at it
      return "VARCHAR";
  }
  return "VARCHAR";
}

namespace {

// A number that would be read as an infinity.
bool IsBeyond(const std::string& number, const Type& type) {
  return type.kind == TypeKind::kReal ? !std::isfinite(std::strtof(number.c_str(), nullptr))
                                      : !std::isfinite(std::strtod(number.c_str(), nullptr));
}

}  // namespace

std::string Constant(const Literal& literal, const Type& type) {
  const std::string cast_tail = " AS " + TypeName(type) + ")";
  switch (literal.kind) {
    case LiteralKind::kNull:
      return "CAST(NULL" + cast_tail;
    case LiteralKind::kBoolean:
      return literal.text == "true" ? "TRUE" : "FALSE";
    case LiteralKind::kInteger:
      if (type.kind == TypeKind::kInteger && !literal.text.starts_with('-')) return literal.text;
      return "CAST('" + literal.text + "'" + cast_tail;
    case LiteralKind::kNumeric:
      if (type.IsFloat() && IsBeyond(literal.text, type)) return "CAST(NULL" + cast_tail;
      return "CAST('" + literal.text + "'" + cast_tail;
    case LiteralKind::kString:
      return QuoteString(literal.text);
    case LiteralKind::kDate:
      return "DATE '" + literal.text + "'";
    case LiteralKind::kTimestamp:
      return "TIMESTAMP '" + literal.text + "'";
    case LiteralKind::kTimestampTz:
      return "TIMESTAMPTZ '" + literal.text + "+00'";
    case LiteralKind::kInterval:
      return "(to_months(" + std::to_string(literal.interval.months) + ") + to_days(" +
             std::to_string(literal.interval.days) + ") + to_microseconds(" +
             std::to_string(literal.interval.microseconds) + "))";
  }
  return "NULL";
}

}  // namespace duckdb
}  // namespace tacit::sql
