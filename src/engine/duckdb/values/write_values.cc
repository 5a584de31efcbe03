#include "engine/duckdb/values/write_values.h"

#include <limits>

#include "engine/duckdb/values/cells.h"
#include "engine/duckdb/values/read_values.h"

namespace tacit::engine::duckdb {
namespace {

duckdb_type TypeIdOf(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return DUCKDB_TYPE_BOOLEAN;
    case TypeKind::kSmallint:
      return DUCKDB_TYPE_SMALLINT;
    case TypeKind::kInteger:
      return DUCKDB_TYPE_INTEGER;
    case TypeKind::kBigint:
      return DUCKDB_TYPE_BIGINT;
    case TypeKind::kNumeric:
      return type.scale == 0 ? DUCKDB_TYPE_HUGEINT : DUCKDB_TYPE_DECIMAL;
    case TypeKind::kReal:
      return DUCKDB_TYPE_FLOAT;
    case TypeKind::kDouble:
      return DUCKDB_TYPE_DOUBLE;
    case TypeKind::kDate:
      return DUCKDB_TYPE_DATE;
    case TypeKind::kTime:
      return DUCKDB_TYPE_TIME;
    case TypeKind::kTimestamp:
      return DUCKDB_TYPE_TIMESTAMP;
    case TypeKind::kTimestampTz:
      return DUCKDB_TYPE_TIMESTAMP_TZ;
    case TypeKind::kInterval:
      return DUCKDB_TYPE_INTERVAL;
    case TypeKind::kText:
    case TypeKind::kUuid:
    case TypeKind::kUnknown:
    case TypeKind::kOpaque:
      return DUCKDB_TYPE_VARCHAR;
  }
  return DUCKDB_TYPE_VARCHAR;
}

template <class Narrow>
bool Holds(Int128 whole) {
  return whole >= std::numeric_limits<Narrow>::min() && whole <= std::numeric_limits<Narrow>::max();
}

}  // namespace

LogicalType LogicalTypeOf(const ValueType& type) {
  const duckdb_type id = TypeIdOf(type);
  if (id != DUCKDB_TYPE_DECIMAL) return LogicalType(duckdb_create_logical_type(id));
  const int width = type.precision == 0 ? 38 : type.precision;
  return LogicalType(
      duckdb_create_decimal_type(static_cast<uint8_t>(width), static_cast<uint8_t>(type.scale)));
}

ColumnWriter::ColumnWriter(duckdb_vector vector, const ValueType& type)
    : vector_(vector),
      type_(type),
      stored_(StoredTypeOf(vector)),
      cells_(duckdb_vector_get_data(vector)) {}

template <class Cell>
bool ColumnWriter::Put(idx_t row, Cell cell) {
  static_cast<Cell*>(cells_)[row] = cell;
  return true;
}

bool ColumnWriter::PutWhole(idx_t row, Int128 whole) {
  switch (stored_) {
    case DUCKDB_TYPE_SMALLINT:
      return Holds<int16_t>(whole) && Put(row, static_cast<int16_t>(whole));
    case DUCKDB_TYPE_INTEGER:
      return Holds<int32_t>(whole) && Put(row, static_cast<int32_t>(whole));
    case DUCKDB_TYPE_BIGINT:
      return Holds<int64_t>(whole) && Put(row, static_cast<int64_t>(whole));
    case DUCKDB_TYPE_HUGEINT:
      return Put(row, ToHugeint(whole));
    default:
      return false;
  }
}

bool ColumnWriter::PutReal(idx_t row, double real) {
  // What a float column held comes back as the very same float.
  if (stored_ == DUCKDB_TYPE_FLOAT) return Put(row, static_cast<float>(real));
  return stored_ == DUCKDB_TYPE_DOUBLE && Put(row, real);
}

bool ColumnWriter::Write(idx_t row, const Value& value) {
  const auto is = [this](TypeKind kind) { return type_.kind == kind; };
  if (IsNull(value)) {
    duckdb_vector_ensure_validity_writable(vector_);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector_), row);
    return true;
  }
  if (const auto* flag = std::get_if<bool>(&value)) {
    return is(TypeKind::kBoolean) && Put(row, *flag);
  }
  if (const auto* whole = std::get_if<int64_t>(&value)) {
    return type_.IsWhole() && PutWhole(row, *whole);
  }
  if (const auto* numeric = std::get_if<Numeric>(&value)) {
    return type_.IsNumber() && numeric->scale == type_.scale && PutWhole(row, numeric->unscaled);
  }
  if (const auto* real = std::get_if<double>(&value)) return PutReal(row, *real);
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (stored_ != DUCKDB_TYPE_VARCHAR) return false;
    duckdb_vector_assign_string_element_len(vector_, row, text->data(), text->size());
    return true;
  }
  if (const auto* date = std::get_if<Date>(&value)) {
    return is(TypeKind::kDate) && Put(row, duckdb_date{date->days});
  }
  if (const auto* time = std::get_if<Time>(&value)) {
    return is(TypeKind::kTime) && Put(row, duckdb_time{time->micros});
  }
  if (const auto* instant = std::get_if<Timestamp>(&value)) {
    return is(instant->with_zone ? TypeKind::kTimestampTz : TypeKind::kTimestamp) &&
           Put(row, duckdb_timestamp{instant->micros});
  }
  const auto& span = std::get<Interval>(value);
  return is(TypeKind::kInterval) && Put(row, duckdb_interval{span.months, span.days, span.micros});
}

}  // namespace tacit::engine::duckdb
