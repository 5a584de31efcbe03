#pragma once

#include <string>

namespace tacit {

// The types that a column, an expression or a result can have, under PostgreSQL's names. They are
// public: a schema says nothing about anyone.
enum class TypeKind {
  kUnknown,  // a string literal or NULL that has not met its context yet
  kBoolean,
  kSmallint,
  kInteger,
  kBigint,
  kNumeric,
  kReal,
  kDouble,
  kText,
  kDate,
  kTime,         // may be stored; no query has a rule for it
  kTimestamp,    // without time zone
  kTimestampTz,  // compared, counted and grouped; no arithmetic, because that needs a time zone
  kInterval,
  kUuid,
  kOpaque,  // lists, structs, blobs: may be stored and carried along, and is never looked at
};

// The one type from the owner's schema to the bytes on the wire (docs/decisions/types.md).
struct ValueType {
  TypeKind kind = TypeKind::kUnknown;
  // Of numeric only; precision 0 is plain `numeric`, whose digits follow from the operand.
  int precision = 0;
  int scale = 0;

  friend bool operator==(const ValueType&, const ValueType&) = default;

  bool IsInteger() const {
    return kind == TypeKind::kSmallint || kind == TypeKind::kInteger || kind == TypeKind::kBigint;
  }
  bool IsFloat() const { return kind == TypeKind::kReal || kind == TypeKind::kDouble; }
  bool IsNumber() const { return IsInteger() || IsFloat() || kind == TypeKind::kNumeric; }
  // Whole numbers, whose grid of sums is 1 unless the owner says otherwise.
  bool IsWhole() const { return IsInteger() || (kind == TypeKind::kNumeric && scale == 0); }
};

// Why 38: numeric is a 128-bit decimal in the engine; PostgreSQL's is unlimited.
inline constexpr int kNumericPrecisionMax = 38;

constexpr ValueType NumericType(int precision, int scale) {
  return {.kind = TypeKind::kNumeric, .precision = precision, .scale = scale};
}
inline constexpr ValueType kBooleanType{.kind = TypeKind::kBoolean};
inline constexpr ValueType kSmallintType{.kind = TypeKind::kSmallint};
inline constexpr ValueType kIntegerType{.kind = TypeKind::kInteger};
inline constexpr ValueType kBigintType{.kind = TypeKind::kBigint};
inline constexpr ValueType kRealType{.kind = TypeKind::kReal};
inline constexpr ValueType kDoubleType{.kind = TypeKind::kDouble};
inline constexpr ValueType kTextType{.kind = TypeKind::kText};
inline constexpr ValueType kDateType{.kind = TypeKind::kDate};
inline constexpr ValueType kTimestampType{.kind = TypeKind::kTimestamp};
inline constexpr ValueType kIntervalType{.kind = TypeKind::kInterval};
inline constexpr ValueType kOpaqueType{.kind = TypeKind::kOpaque};

// "bigint", "double precision", "numeric(12,2)", "timestamp without time zone": as PostgreSQL shows
// a type. "unknown" for what has no name there.
inline std::string PostgresName(const ValueType& type) {
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
    case TypeKind::kTime:
      return "time without time zone";
    case TypeKind::kTimestamp:
      return "timestamp without time zone";
    case TypeKind::kTimestampTz:
      return "timestamp with time zone";
    case TypeKind::kInterval:
      return "interval";
    case TypeKind::kUuid:
      return "uuid";
    case TypeKind::kUnknown:
    case TypeKind::kOpaque:
      return "unknown";
  }
  return "unknown";
}

}  // namespace tacit
