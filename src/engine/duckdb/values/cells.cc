#include "engine/duckdb/values/cells.h"

#include "base/assert.h"

namespace tacit::engine::duckdb {

std::string_view TextAt(const void* cells, idx_t row) {
  const auto& value = static_cast<const duckdb_string_t*>(cells)[row].value;
  const uint32_t length = value.inlined.length;
  const bool is_inlined = length <= sizeof value.inlined.inlined;
  return {is_inlined ? value.inlined.inlined : value.pointer.ptr, length};
}

duckdb_type StoredTypeOf(duckdb_vector vector) {
  duckdb_logical_type type = duckdb_vector_get_column_type(vector);
  duckdb_type id = duckdb_get_type_id(type);
  if (id == DUCKDB_TYPE_ENUM) id = duckdb_enum_internal_type(type);
  if (id == DUCKDB_TYPE_DECIMAL) id = duckdb_decimal_internal_type(type);
  duckdb_destroy_logical_type(&type);
  return id;
}

size_t WidthOf(duckdb_type stored) {
  switch (stored) {
    case DUCKDB_TYPE_SQLNULL:  // nothing but NULL
    case DUCKDB_TYPE_BOOLEAN:
    case DUCKDB_TYPE_TINYINT:
    case DUCKDB_TYPE_UTINYINT:
      return 1;
    case DUCKDB_TYPE_SMALLINT:
    case DUCKDB_TYPE_USMALLINT:
      return 2;
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_UINTEGER:
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DATE:
      return 4;
    case DUCKDB_TYPE_BIGINT:
    case DUCKDB_TYPE_UBIGINT:
    case DUCKDB_TYPE_DOUBLE:
    case DUCKDB_TYPE_TIME:
    case DUCKDB_TYPE_TIME_NS:
    case DUCKDB_TYPE_TIME_TZ:
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_S:
    case DUCKDB_TYPE_TIMESTAMP_MS:
    case DUCKDB_TYPE_TIMESTAMP_NS:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return 8;
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UHUGEINT:
    case DUCKDB_TYPE_UUID:
    case DUCKDB_TYPE_INTERVAL:
      return 16;
    default:
      // The plan writes every other type as a text.
      TACIT_ASSERT(stored == DUCKDB_TYPE_VARCHAR || stored == DUCKDB_TYPE_BLOB);
      return 0;
  }
}

void CopyNulls(duckdb_vector input, duckdb_vector output, idx_t size) {
  const uint64_t* valid = duckdb_vector_get_validity(input);
  if (valid == nullptr) return;
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* out = duckdb_vector_get_validity(output);
  for (idx_t word = 0; word * 64 < size; ++word) out[word] = valid[word];
}

}  // namespace tacit::engine::duckdb
