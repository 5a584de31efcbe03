#include "sql/type.h"

namespace tacit::sql {

std::string ToString(const Type& type) {
  switch (type.kind) {
    case TypeKind::kUnknown:
      return "unknown";
    case TypeKind::kBoolean:
      return "boolean";
    case TypeKind::kSmallint:
      return "smallint";
    case TypeKind::kInteger:
      return "integer";
    case TypeKind::kBigint:
      return "bigint";
    case TypeKind::kNumeric:
      if (type.precision == 0) return "numeric";
      return "numeric(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
    case TypeKind::kReal:
      return "real";
    case TypeKind::kDouble:
      return "double precision";
    case TypeKind::kText:
      return "text";
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
    case TypeKind::kOpaque:
      return "a type without rules";
  }
  return "unknown";
}

}  // namespace tacit::sql
