#pragma once

#include <string>

namespace tacit::sql {

// The types a column or an expression can have, under PostgreSQL's names.
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
  kTimestamp,
  kTimestampTz,  // compared, counted and grouped; no arithmetic, because that needs a time zone
  kInterval,
  kUuid,
  kOpaque,  // a stored type without rules: a column that can be carried along and never looked at
};

// Why 38: numeric is a 128-bit decimal in the engine; PostgreSQL's is unlimited.
inline constexpr int kNumericPrecisionMax = 38;

struct Type {
  TypeKind kind = TypeKind::kUnknown;
  // Of numeric only; precision 0 is plain `numeric`, whose digits follow from the operand.
  int precision = 0;
  int scale = 0;

  friend bool operator==(const Type&, const Type&) = default;

  bool IsInteger() const {
    return kind == TypeKind::kSmallint || kind == TypeKind::kInteger || kind == TypeKind::kBigint;
  }
  bool IsFloat() const { return kind == TypeKind::kReal || kind == TypeKind::kDouble; }
  bool IsNumber() const { return IsInteger() || IsFloat() || kind == TypeKind::kNumeric; }
};

// "bigint", "double precision", "numeric(10,2)": as PostgreSQL shows a type.
std::string ToString(const Type& type);

}  // namespace tacit::sql
