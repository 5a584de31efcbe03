#include "engine/duckdb/values/read_values.h"

#include <cstdio>

#include "base/numbers/finite.h"
#include "engine/duckdb/values/cells.h"
#include "engine/duckdb/values/logical_type.h"

namespace tacit::engine::duckdb {
namespace {

// DuckDB stores a UUID with its first bit flipped, so that it sorts as a signed number.
std::string UuidText(duckdb_hugeint value) {
  const uint64_t upper = static_cast<uint64_t>(value.upper) ^ (uint64_t{1} << 63);
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-%04x-%04x-%012llx",
                static_cast<unsigned>(upper >> 32), static_cast<unsigned>(upper >> 16 & 0xffff),
                static_cast<unsigned>(upper & 0xffff), static_cast<unsigned>(value.lower >> 48),
                static_cast<unsigned long long>(value.lower & 0xffff'ffff'ffff));
  return text;
}

}  // namespace

Int128 FromHugeint(duckdb_hugeint value) {
  return static_cast<Int128>((static_cast<UInt128>(static_cast<uint64_t>(value.upper)) << 64) |
                             value.lower);
}

duckdb_hugeint ToHugeint(Int128 value) {
  return duckdb_hugeint{.lower = static_cast<uint64_t>(static_cast<UInt128>(value)),
                        .upper = static_cast<int64_t>(value >> 64)};
}

ValueType TypeOf(duckdb_logical_type type) {
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_BOOLEAN:
      return kBooleanType;
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_UTINYINT:
    case DUCKDB_TYPE_SMALLINT:
      return kSmallintType;
    case DUCKDB_TYPE_USMALLINT:
    case DUCKDB_TYPE_INTEGER:
      return kIntegerType;
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_BIGINT:
      return kBigintType;
    case DUCKDB_TYPE_UBIGINT:
      return NumericType(20, 0);
    case DUCKDB_TYPE_HUGEINT:
      return NumericType(38, 0);
    case DUCKDB_TYPE_DECIMAL:
      return NumericType(duckdb_decimal_width(type), duckdb_decimal_scale(type));
    case DUCKDB_TYPE_FLOAT:
      return kRealType;
    case DUCKDB_TYPE_DOUBLE:
      return kDoubleType;
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_ENUM:
    case DUCKDB_TYPE_SQLNULL:
      return kTextType;
    case DUCKDB_TYPE_DATE:
      return kDateType;
    case DUCKDB_TYPE_TIME:
      return {.kind = TypeKind::kTime};
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return kTimestampType;
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return {.kind = TypeKind::kTimestampTz};
    case DUCKDB_TYPE_INTERVAL:
      return kIntervalType;
    case DUCKDB_TYPE_UUID:
      return {.kind = TypeKind::kUuid};
    default:
      return kOpaqueType;
  }
}

std::vector<ResultColumn> ColumnsOf(duckdb_result* result) {
  std::vector<ResultColumn> columns;
  for (idx_t i = 0; i < duckdb_column_count(result); ++i) {
    const LogicalType type(duckdb_column_logical_type(result, i));
    columns.push_back(ResultColumn{duckdb_column_name(result, i), TypeOf(type.get())});
  }
  return columns;
}

ResultColumn ColumnOf(duckdb_prepared_statement statement, idx_t index) {
  const LogicalType type(duckdb_prepared_statement_column_logical_type(statement, index));
  const char* name = duckdb_prepared_statement_column_name(statement, index);
  ResultColumn column{name != nullptr ? name : "", TypeOf(type.get())};
  duckdb_free(const_cast<char*>(name));
  return column;
}

ColumnReader::ColumnReader(duckdb_vector vector)
    : cells_(duckdb_vector_get_data(vector)), validity_(duckdb_vector_get_validity(vector)) {
  const LogicalType type(duckdb_vector_get_column_type(vector));
  type_ = duckdb_get_type_id(type.get());
  if (type_ == DUCKDB_TYPE_DECIMAL) {
    inner_type_ = duckdb_decimal_internal_type(type.get());
    scale_ = duckdb_decimal_scale(type.get());
  } else if (type_ == DUCKDB_TYPE_ENUM) {
    inner_type_ = duckdb_enum_internal_type(type.get());
    for (uint32_t i = 0; i < duckdb_enum_dictionary_size(type.get()); ++i) {
      char* text = duckdb_enum_dictionary_value(type.get(), i);
      enum_texts_.emplace_back(text);
      duckdb_free(text);
    }
  }
}

Value ColumnReader::ReadDecimal(idx_t row) const {
  const auto numeric = [this](Int128 unscaled) { return Value(Numeric{unscaled, scale_}); };
  switch (inner_type_) {
    case DUCKDB_TYPE_SMALLINT:
      return numeric(static_cast<int16_t*>(cells_)[row]);
    case DUCKDB_TYPE_INTEGER:
      return numeric(static_cast<int32_t*>(cells_)[row]);
    case DUCKDB_TYPE_BIGINT:
      return numeric(static_cast<int64_t*>(cells_)[row]);
    default:
      return numeric(FromHugeint(static_cast<duckdb_hugeint*>(cells_)[row]));
  }
}

Value ColumnReader::ReadEnum(idx_t row) const {
  size_t index = 0;
  switch (inner_type_) {
    case DUCKDB_TYPE_UTINYINT:
      index = static_cast<uint8_t*>(cells_)[row];
      break;
    case DUCKDB_TYPE_USMALLINT:
      index = static_cast<uint16_t*>(cells_)[row];
      break;
    default:
      index = static_cast<uint32_t*>(cells_)[row];
      break;
  }
  return index < enum_texts_.size() ? Value(enum_texts_[index]) : Value();
}

Value ColumnReader::Read(idx_t row) const {
  if (validity_ != nullptr && !duckdb_validity_row_is_valid(validity_, row)) return Value();
  const auto integer = [](auto value) { return Value(static_cast<int64_t>(value)); };
  // Without NaN the order of values is one.
  const auto number = [](double value) {
    const std::optional<double> finite = FiniteOf(value);
    return finite ? Value(*finite) : Value();
  };
  const auto at = [row, this]<class T>(T*) { return static_cast<T*>(cells_)[row]; };
  switch (type_) {
    case DUCKDB_TYPE_BOOLEAN:
      return Value(at(static_cast<bool*>(nullptr)));
    case DUCKDB_TYPE_TINYINT:
      return integer(at(static_cast<int8_t*>(nullptr)));
    case DUCKDB_TYPE_UTINYINT:
      return integer(at(static_cast<uint8_t*>(nullptr)));
    case DUCKDB_TYPE_SMALLINT:
      return integer(at(static_cast<int16_t*>(nullptr)));
    case DUCKDB_TYPE_USMALLINT:
      return integer(at(static_cast<uint16_t*>(nullptr)));
    case DUCKDB_TYPE_INTEGER:
      return integer(at(static_cast<int32_t*>(nullptr)));
    case DUCKDB_TYPE_UINTEGER:
      return integer(at(static_cast<uint32_t*>(nullptr)));
    case DUCKDB_TYPE_BIGINT:
      return integer(at(static_cast<int64_t*>(nullptr)));
    case DUCKDB_TYPE_UBIGINT:
      return Value(Numeric{static_cast<Int128>(at(static_cast<uint64_t*>(nullptr))), 0});
    case DUCKDB_TYPE_HUGEINT:
      return Value(Numeric{FromHugeint(at(static_cast<duckdb_hugeint*>(nullptr))), 0});
    case DUCKDB_TYPE_DECIMAL:
      return ReadDecimal(row);
    case DUCKDB_TYPE_FLOAT:
      return number(static_cast<double>(at(static_cast<float*>(nullptr))));
    case DUCKDB_TYPE_DOUBLE:
      return number(at(static_cast<double*>(nullptr)));
    case DUCKDB_TYPE_VARCHAR:
      return Value(std::string(TextAt(cells_, row)));
    case DUCKDB_TYPE_ENUM:
      return ReadEnum(row);
    case DUCKDB_TYPE_DATE:
      return Value(Date{at(static_cast<duckdb_date*>(nullptr)).days});
    case DUCKDB_TYPE_TIME:
      return Value(Time{at(static_cast<duckdb_time*>(nullptr)).micros});
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return Value(Timestamp{at(static_cast<duckdb_timestamp*>(nullptr)).micros,
                             type_ == DUCKDB_TYPE_TIMESTAMP_TZ});
    case DUCKDB_TYPE_TIMESTAMP_S:
      return Value(Timestamp{at(static_cast<int64_t*>(nullptr)) * 1'000'000, false});
    case DUCKDB_TYPE_TIMESTAMP_MS:
      return Value(Timestamp{at(static_cast<int64_t*>(nullptr)) * 1'000, false});
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return Value(Timestamp{at(static_cast<int64_t*>(nullptr)) / 1'000, false});
    case DUCKDB_TYPE_INTERVAL: {
      const auto interval = at(static_cast<duckdb_interval*>(nullptr));
      return Value(Interval{interval.months, interval.days, interval.micros});
    }
    case DUCKDB_TYPE_UUID:
      return Value(UuidText(at(static_cast<duckdb_hugeint*>(nullptr))));
    default:
      return Value();
  }
}

bool BindValue(duckdb_prepared_statement s, idx_t index, const Value& value) {
  struct Binder {
    duckdb_prepared_statement s;
    idx_t i;
    duckdb_state operator()(std::monostate) const { return duckdb_bind_null(s, i); }
    duckdb_state operator()(bool v) const { return duckdb_bind_boolean(s, i, v); }
    duckdb_state operator()(int64_t v) const { return duckdb_bind_int64(s, i, v); }
    duckdb_state operator()(double v) const { return duckdb_bind_double(s, i, v); }
    duckdb_state operator()(const Numeric& v) const {
      if (v.scale == 0) return duckdb_bind_hugeint(s, i, ToHugeint(v.unscaled));
      return duckdb_bind_decimal(
          s, i, duckdb_decimal{38, static_cast<uint8_t>(v.scale), ToHugeint(v.unscaled)});
    }
    duckdb_state operator()(const std::string& v) const {
      return duckdb_bind_varchar_length(s, i, v.data(), v.size());
    }
    duckdb_state operator()(const Date& v) const {
      return duckdb_bind_date(s, i, duckdb_date{v.days});
    }
    duckdb_state operator()(const Time& v) const {
      return duckdb_bind_time(s, i, duckdb_time{v.micros});
    }
    duckdb_state operator()(const Timestamp& v) const {
      return v.with_zone ? duckdb_bind_timestamp_tz(s, i, duckdb_timestamp{v.micros})
                         : duckdb_bind_timestamp(s, i, duckdb_timestamp{v.micros});
    }
    duckdb_state operator()(const Interval& v) const {
      return duckdb_bind_interval(s, i, duckdb_interval{v.months, v.days, v.micros});
    }
  };
  return std::visit(Binder{s, index}, value) == DuckDBSuccess;
}

}  // namespace tacit::engine::duckdb
