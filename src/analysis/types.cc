#include "analysis/types.h"

namespace tacit::analysis {
namespace {

sql::Type Plain(sql::TypeKind kind) { return sql::Type{.kind = kind, .precision = 0, .scale = 0}; }

ValueType Value(ValueKind kind, int bits = 0) {
  return ValueType{.kind = kind, .bits = bits, .precision = 0, .scale = 0};
}

}  // namespace

sql::Type QueryTypeOf(const ValueType& stored) {
  using sql::TypeKind;
  switch (stored.kind) {
    case ValueKind::kBoolean:
      return Plain(TypeKind::kBoolean);
    case ValueKind::kInteger:
      return Plain(stored.bits == 16   ? TypeKind::kSmallint
                   : stored.bits == 32 ? TypeKind::kInteger
                                       : TypeKind::kBigint);
    case ValueKind::kNumeric:
      return sql::Type{TypeKind::kNumeric, stored.precision, stored.scale};
    case ValueKind::kReal:
      return Plain(stored.bits == 32 ? TypeKind::kReal : TypeKind::kDouble);
    case ValueKind::kText:
      return Plain(TypeKind::kText);
    case ValueKind::kDate:
      return Plain(TypeKind::kDate);
    case ValueKind::kTimestamp:
      return Plain(TypeKind::kTimestamp);
    case ValueKind::kTimestampTz:
      return Plain(TypeKind::kTimestampTz);
    case ValueKind::kInterval:
      return Plain(TypeKind::kInterval);
    case ValueKind::kUuid:
      return Plain(TypeKind::kUuid);
    case ValueKind::kTime:
    case ValueKind::kOther:
      return Plain(TypeKind::kOpaque);
  }
  return Plain(TypeKind::kOpaque);
}

sql::Type QueryTypeAbove(const ValueType& stored) {
  sql::Type type = QueryTypeOf(stored);
  if (type.kind == sql::TypeKind::kOpaque) type.kind = sql::TypeKind::kUnknown;
  return type;
}

ValueType ValueTypeOf(const sql::Type& type) {
  using sql::TypeKind;
  switch (type.kind) {
    case TypeKind::kUnknown:
    case TypeKind::kText:
      return Value(ValueKind::kText);
    case TypeKind::kBoolean:
      return Value(ValueKind::kBoolean);
    case TypeKind::kSmallint:
      return Value(ValueKind::kInteger, 16);
    case TypeKind::kInteger:
      return Value(ValueKind::kInteger, 32);
    case TypeKind::kBigint:
      return Value(ValueKind::kInteger, 64);
    case TypeKind::kNumeric:
      return ValueType{ValueKind::kNumeric, 0, type.precision, type.scale};
    case TypeKind::kReal:
      return Value(ValueKind::kReal, 32);
    case TypeKind::kDouble:
      return Value(ValueKind::kReal, 64);
    case TypeKind::kDate:
      return Value(ValueKind::kDate);
    case TypeKind::kTimestamp:
      return Value(ValueKind::kTimestamp);
    case TypeKind::kTimestampTz:
      return Value(ValueKind::kTimestampTz);
    case TypeKind::kInterval:
      return Value(ValueKind::kInterval);
    case TypeKind::kUuid:
      return Value(ValueKind::kUuid);
    case TypeKind::kOpaque:
      return Value(ValueKind::kOther);
  }
  return Value(ValueKind::kOther);
}

}  // namespace tacit::analysis
