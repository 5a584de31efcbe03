#include <array>

#include "base/assert.h"
#include "engine/duckdb/cells.h"
#include "engine/duckdb/functions/functions.h"

namespace tacit::engine::duckdb {
namespace {

// Whole numbers up to here are doubles, and so are the powers of ten.
constexpr int64_t kExact = int64_t{1} << 53;
constexpr std::array<int64_t, 19> kPowers = [] {
  std::array<int64_t, 19> powers{1};
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

uint8_t ScaleOf(duckdb_vector vector) {
  duckdb_logical_type type = duckdb_vector_get_column_type(vector);
  TACIT_ASSERT(duckdb_get_type_id(type) == DUCKDB_TYPE_DECIMAL);
  const uint8_t scale = duckdb_decimal_scale(type);
  duckdb_destroy_logical_type(&type);
  return scale;
}

// Larger numbers in two parts, each of which is a double, as the engine's own cast has it.
template <class Unscaled>
void Divide(const void* cells, int64_t power, idx_t size, double* results) {
  const auto* numbers = static_cast<const Unscaled*>(cells);
  const auto divisor = static_cast<double>(power);
  for (idx_t row = 0; row < size; ++row) {
    const int64_t number = numbers[row];
    if (number <= kExact && number >= -kExact) {
      results[row] = static_cast<double>(number) / divisor;
    } else {
      results[row] =
          static_cast<double>(number / power) + static_cast<double>(number % power) / divisor;
    }
  }
}

}  // namespace

void FromDecimal(duckdb_function_info, duckdb_data_chunk input, duckdb_vector output) {
  const duckdb_vector argument = duckdb_data_chunk_get_vector(input, 0);
  const idx_t size = duckdb_data_chunk_get_size(input);
  const void* cells = duckdb_vector_get_data(argument);
  const int64_t power = kPowers.at(ScaleOf(argument));
  auto* results = static_cast<double*>(duckdb_vector_get_data(output));
  switch (StoredTypeOf(argument)) {
    case DUCKDB_TYPE_SMALLINT:
      Divide<int16_t>(cells, power, size, results);
      break;
    case DUCKDB_TYPE_INTEGER:
      Divide<int32_t>(cells, power, size, results);
      break;
    default:
      TACIT_ASSERT(StoredTypeOf(argument) == DUCKDB_TYPE_BIGINT);
      Divide<int64_t>(cells, power, size, results);
  }
  CopyNulls(argument, output, size);
}

}  // namespace tacit::engine::duckdb
