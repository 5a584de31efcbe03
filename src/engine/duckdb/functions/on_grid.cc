#include <cmath>

#include "engine/duckdb/cells.h"
#include "engine/duckdb/functions/functions.h"

namespace tacit::engine::duckdb {
namespace {

// Half away from zero. Exact: a double below 2^53 and its whole part have an exact difference, and
// from there on it is whole. Grids have at most 2^62 steps, so the conversion cannot overflow.
int64_t Rounded(double number) {
  const auto whole = static_cast<int64_t>(number);
  const double rest = number - static_cast<double>(whole);
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

}  // namespace

void PutOnGrid(duckdb_function_info, duckdb_data_chunk input, duckdb_vector output) {
  const auto cells = [&](idx_t column) {
    return duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, column));
  };
  const auto* values = static_cast<const double*>(cells(0));
  // The grid is the statement's: the same in every row.
  const double low_end = *static_cast<const double*>(cells(1));
  const double high_end = *static_cast<const double*>(cells(2));
  const double steps = *static_cast<const double*>(cells(3));
  const int64_t low = *static_cast<const int64_t*>(cells(4));
  const int64_t high = *static_cast<const int64_t*>(cells(5));
  const idx_t size = duckdb_data_chunk_get_size(input);
  auto* whole = static_cast<int64_t*>(duckdb_vector_get_data(output));
  for (idx_t row = 0; row < size; ++row) {
    const double value = values[row];
    if (value <= low_end) {
      whole[row] = low;
    } else if (value < high_end) {
      // Clamped again, so that the bound does not rest on floating-point rounding.
      const int64_t rounded = Rounded(value * steps);
      whole[row] = rounded < low ? low : rounded > high ? high : rounded;
    } else {
      whole[row] = high;
    }
  }
  CopyNulls(duckdb_data_chunk_get_vector(input, 0), output, size);
}

}  // namespace tacit::engine::duckdb
