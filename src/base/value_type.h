#pragma once

#include <string>

namespace tacit {

// The types a column or a result can have, in PostgreSQL's words. They are public: a schema says
// nothing about anyone.
enum class ValueKind {
  kBoolean,
  kInteger,  // bits: 16, 32 or 64
  kNumeric,  // precision and scale
  kReal,     // bits: 32 or 64
  kText,
  kDate,
  kTime,
  kTimestamp,    // without time zone
  kTimestampTz,  // with time zone
  kInterval,
  kUuid,
  kOther,  // lists, structs, blobs: may be stored, has no rule
};

struct ValueType {
  ValueKind kind = ValueKind::kOther;
  int bits = 0;
  int precision = 0;
  int scale = 0;

  bool operator==(const ValueType&) const = default;

  // Whole numbers, whose grid of sums is 1 unless the owner says otherwise.
  bool IsWhole() const {
    return kind == ValueKind::kInteger || (kind == ValueKind::kNumeric && scale == 0);
  }
  bool IsNumber() const {
    return kind == ValueKind::kInteger || kind == ValueKind::kNumeric || kind == ValueKind::kReal;
  }
};

inline constexpr ValueType kBooleanType{.kind = ValueKind::kBoolean};
inline constexpr ValueType kIntegerType{.kind = ValueKind::kInteger, .bits = 32};
inline constexpr ValueType kBigintType{.kind = ValueKind::kInteger, .bits = 64};
inline constexpr ValueType kDoubleType{.kind = ValueKind::kReal, .bits = 64};
inline constexpr ValueType kTextType{.kind = ValueKind::kText};
inline constexpr ValueType kDateType{.kind = ValueKind::kDate};
inline constexpr ValueType kTimestampType{.kind = ValueKind::kTimestamp};

// "bigint", "double precision", "numeric(12,2)", "timestamp without time zone".
inline std::string PostgresName(const ValueType& type) {
  switch (type.kind) {
    case ValueKind::kBoolean:
      return "boolean";
    case ValueKind::kInteger:
      return type.bits == 16 ? "smallint" : type.bits == 32 ? "integer" : "bigint";
    case ValueKind::kNumeric:
      if (type.precision == 0) return "numeric";
      return "numeric(" + std::to_string(type.precision) + "," + std::to_string(type.scale) + ")";
    case ValueKind::kReal:
      return type.bits == 32 ? "real" : "double precision";
    case ValueKind::kText:
      return "text";
    case ValueKind::kDate:
      return "date";
    case ValueKind::kTime:
      return "time without time zone";
    case ValueKind::kTimestamp:
      return "timestamp without time zone";
    case ValueKind::kTimestampTz:
      return "timestamp with time zone";
    case ValueKind::kInterval:
      return "interval";
    case ValueKind::kUuid:
      return "uuid";
    case ValueKind::kOther:
      return "unknown";
  }
  return "unknown";
}

}  // namespace tacit
