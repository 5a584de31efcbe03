#include "base/numbers/finite.h"

#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/values/cells.h"

namespace tacit::engine::duckdb {

void KeepFinite(duckdb_function_info, duckdb_data_chunk input, duckdb_vector output) {
  duckdb_vector numbers = duckdb_data_chunk_get_vector(input, 0);
  const idx_t size = duckdb_data_chunk_get_size(input);
  const auto* from = static_cast<const double*>(duckdb_vector_get_data(numbers));
  auto* to = static_cast<double*>(duckdb_vector_get_data(output));
  bool all_finite = true;
  for (idx_t row = 0; row < size; ++row) {
    to[row] = from[row] + 0.0;  // as FiniteOf, without a branch
    all_finite &= std::isfinite(from[row]);
  }
  CopyNulls(numbers, output, size);
  if (all_finite) return;
  // What stands in the place of a NULL may be anything: it is NULL already.
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* valid = duckdb_vector_get_validity(output);
  for (idx_t row = 0; row < size; ++row) {
    if (!FiniteOf(from[row])) duckdb_validity_set_row_invalid(valid, row);
  }
}

}  // namespace tacit::engine::duckdb
