#pragma once

#include "engine/duckdb/values/logical_type.h"
#include "engine/result_table.h"

// Our values as DuckDB's vectors.

namespace tacit::engine::duckdb {

// The type that holds `type`. Whole numerics are our exact sums: HUGEINT has no precision to run
// out of. What has no rule is a text that is NULL.
LogicalType LogicalTypeOf(const ValueType& type);

// Writes one column of a chunk that DuckDB wants filled; valid as long as the chunk.
class ColumnWriter {
 public:
  ColumnWriter(duckdb_vector vector, const ValueType& type);
  // False when the column cannot hold the value exactly.
  bool Write(idx_t row, const Value& value);

 private:
  template <class Cell>
  bool Put(idx_t row, Cell cell);
  bool PutWhole(idx_t row, Int128 whole);
  bool PutReal(idx_t row, double real);

  duckdb_vector vector_;
  ValueType type_;
  duckdb_type stored_;
  void* cells_;
};

}  // namespace tacit::engine::duckdb
