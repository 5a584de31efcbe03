#pragma once

#include <vector>

#include "engine/duckdb/database/api.h"
#include "engine/result_table.h"

// DuckDB's vectors as our values, and our values as parameters.

namespace tacit::engine::duckdb {

ValueType TypeOf(duckdb_logical_type type);
std::vector<ResultColumn> ColumnsOf(duckdb_result* result);
ResultColumn ColumnOf(duckdb_prepared_statement statement, idx_t index);

// Reads one column of a chunk; valid as long as the chunk.
class ColumnReader {
 public:
  explicit ColumnReader(duckdb_vector vector);
  // A type without a rule (lists, blobs, ...) reads as NULL; TypeKind::kOpaque says so.
  Value Read(idx_t row) const;

 private:
  Value ReadDecimal(idx_t row) const;
  Value ReadEnum(idx_t row) const;

  void* cells_;
  uint64_t* validity_;
  duckdb_type type_;
  duckdb_type inner_type_ = DUCKDB_TYPE_INVALID;  // how a decimal or an enum is stored
  int scale_ = 0;
  std::vector<std::string> enum_texts_;
};

// Binds to $index (from one).
bool BindValue(duckdb_prepared_statement statement, idx_t index, const Value& value);

duckdb_hugeint ToHugeint(Int128 value);
Int128 FromHugeint(duckdb_hugeint value);

}  // namespace tacit::engine::duckdb
