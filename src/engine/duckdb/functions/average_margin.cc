#include "plan/above/average_margin.h"

#include "engine/duckdb/functions/bind_data.h"
#include "engine/duckdb/functions/functions.h"
#include "engine/duckdb/values/cells.h"

namespace tacit::engine::duckdb {

void ReadAverageMargin(duckdb_bind_info info) {
  const std::optional<plan::AverageMargin> margin =
      plan::AverageMargin::Parse(ConstantText(info, 2).value_or(""));
  if (!margin) {
    duckdb_scalar_function_bind_set_error(info,
                                          "tacit_average_margin: the third argument is no average");
    return;
  }
  SetBindData(info, *margin);
}

void GiveAverageMargins(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& margin = BindData<plan::AverageMargin>(info);
  duckdb_vector count_vector = duckdb_data_chunk_get_vector(input, 0);
  const auto* counts = static_cast<const double*>(duckdb_vector_get_data(count_vector));
  const auto* sums =
      static_cast<const double*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 1)));
  const idx_t size = duckdb_data_chunk_get_size(input);
  auto* margins = static_cast<double*>(duckdb_vector_get_data(output));
  for (idx_t row = 0; row < size; ++row) margins[row] = margin.Of(counts[row], sums[row]);
  CopyNulls(count_vector, output, size);
}

}  // namespace tacit::engine::duckdb
