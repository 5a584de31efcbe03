#include <array>

#include "base/assert.h"
#include "engine/duckdb/functions/bind_data.h"
#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/functions/own_functions.h"
#include "engine/duckdb/values/cells.h"
#include "engine/duckdb/values/logical_type.h"

namespace tacit::engine::duckdb {
namespace {

// Whole numbers up to here are doubles, and so are the powers of ten.
constexpr int64_t kExact = int64_t{1} << 53;
constexpr std::array<int64_t, 19> kPowers = [] {
  std::array<int64_t, 19> powers{1};
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

struct Decimal {
  duckdb_type stored_as;
  int64_t power;
};

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

void ReadDecimalType(duckdb_bind_info info) {
  duckdb_expression expression = duckdb_scalar_function_bind_get_argument(info, 0);
  const LogicalType type(duckdb_expression_return_type(expression));
  duckdb_destroy_expression(&expression);
  if (duckdb_get_type_id(type.get()) != DUCKDB_TYPE_DECIMAL ||
      duckdb_decimal_width(type.get()) > kFromDecimalDigitsMax) {
    duckdb_scalar_function_bind_set_error(info, "tacit_from_decimal: not such a decimal");
    return;
  }
  SetBindData(info, Decimal{.stored_as = duckdb_decimal_internal_type(type.get()),
                            .power = kPowers.at(duckdb_decimal_scale(type.get()))});
}

void FromDecimal(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& decimal = BindData<Decimal>(info);
  const duckdb_vector argument = duckdb_data_chunk_get_vector(input, 0);
  const idx_t size = duckdb_data_chunk_get_size(input);
  const void* cells = duckdb_vector_get_data(argument);
  auto* results = static_cast<double*>(duckdb_vector_get_data(output));
  switch (decimal.stored_as) {
    case DUCKDB_TYPE_SMALLINT:
      Divide<int16_t>(cells, decimal.power, size, results);
      break;
    case DUCKDB_TYPE_INTEGER:
      Divide<int32_t>(cells, decimal.power, size, results);
      break;
    default:
      TACIT_ASSERT(decimal.stored_as == DUCKDB_TYPE_BIGINT);
      Divide<int64_t>(cells, decimal.power, size, results);
  }
  CopyNulls(argument, output, size);
}

}  // namespace tacit::engine::duckdb
