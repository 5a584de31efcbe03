#include "engine/duckdb/functions/bind_data.h"

namespace tacit::engine::duckdb {

std::optional<std::string> ConstantText(duckdb_bind_info info, idx_t argument) {
  std::optional<std::string> text;
  duckdb_client_context context = nullptr;
  duckdb_scalar_function_get_client_context(info, &context);
  duckdb_expression expression = duckdb_scalar_function_bind_get_argument(info, argument);
  if (duckdb_expression_is_foldable(expression)) {
    duckdb_value value = nullptr;
    duckdb_error_data error = duckdb_expression_fold(context, expression, &value);
    if (!duckdb_error_data_has_error(error) && !duckdb_is_null_value(value)) {
      char* const kept = duckdb_get_varchar(value);
      if (kept != nullptr) text = kept;
      duckdb_free(kept);
    }
    duckdb_destroy_error_data(&error);
    duckdb_destroy_value(&value);
  }
  duckdb_destroy_expression(&expression);
  duckdb_destroy_client_context(&context);
  return text;
}

}  // namespace tacit::engine::duckdb
