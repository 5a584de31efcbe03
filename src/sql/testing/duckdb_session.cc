#include "sql/testing/duckdb_session.h"

#include <new>

#include "base/numbers/finite.h"
#include "sql/print/engine_functions.h"

namespace tacit::sql::testing {
namespace {

// What engine/duckdb registers, a row at a time.
void KeepFinite(duckdb_function_info, duckdb_data_chunk input, duckdb_vector output) {
  duckdb_vector numbers = duckdb_data_chunk_get_vector(input, 0);
  const auto* from = static_cast<const double*>(duckdb_vector_get_data(numbers));
  uint64_t* known = duckdb_vector_get_validity(numbers);
  auto* to = static_cast<double*>(duckdb_vector_get_data(output));
  duckdb_vector_ensure_validity_writable(output);
  uint64_t* valid = duckdb_vector_get_validity(output);
  for (idx_t row = 0; row < duckdb_data_chunk_get_size(input); ++row) {
    const bool is_known = known == nullptr || duckdb_validity_row_is_valid(known, row);
    const std::optional<double> finite = is_known ? FiniteOf(from[row]) : std::nullopt;
    to[row] = finite.value_or(0);
    if (!finite) duckdb_validity_set_row_invalid(valid, row);
  }
}

void RegisterFinite(duckdb_connection connection) {
  duckdb_scalar_function function = duckdb_create_scalar_function();
  duckdb_scalar_function_set_name(function, kFiniteFunction);
  duckdb_logical_type type = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
  duckdb_scalar_function_add_parameter(function, type);
  duckdb_scalar_function_set_return_type(function, type);
  duckdb_scalar_function_set_special_handling(function);
  duckdb_scalar_function_set_function(function, KeepFinite);
  TACIT_ASSERT(duckdb_register_scalar_function(connection, function) == DuckDBSuccess);
  duckdb_destroy_logical_type(&type);
  duckdb_destroy_scalar_function(&function);
}

ExactMoments& At(duckdb_aggregate_state state) { return *reinterpret_cast<ExactMoments*>(state); }

void RegisterExact(duckdb_connection connection, const ExactAggregateName& described) {
  duckdb_aggregate_function function = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(function, described.name);
  duckdb_logical_type type = duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE);
  duckdb_aggregate_function_add_parameter(function, type);
  duckdb_aggregate_function_set_return_type(function, type);
  duckdb_aggregate_function_set_special_handling(function);
  duckdb_aggregate_function_set_extra_info(function, const_cast<ExactAggregateName*>(&described),
                                           nullptr);
  duckdb_aggregate_function_set_functions(
      function, [](duckdb_function_info) -> idx_t { return sizeof(ExactMoments); },
      [](duckdb_function_info, duckdb_aggregate_state state) { new (state) ExactMoments; },
      [](duckdb_function_info, duckdb_data_chunk input, duckdb_aggregate_state* states) {
        duckdb_vector numbers = duckdb_data_chunk_get_vector(input, 0);
        uint64_t* known = duckdb_vector_get_validity(numbers);
        for (idx_t row = 0; row < duckdb_data_chunk_get_size(input); ++row) {
          if (known != nullptr && !duckdb_validity_row_is_valid(known, row)) continue;
          At(states[row]).Add(static_cast<const double*>(duckdb_vector_get_data(numbers))[row]);
        }
      },
      [](duckdb_function_info, duckdb_aggregate_state* from, duckdb_aggregate_state* into,
         idx_t count) {
        for (idx_t i = 0; i < count; ++i) At(into[i]).Add(At(from[i]));
      },
      [](duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result,
         idx_t count, idx_t offset) {
        const auto* one =
            static_cast<const ExactAggregateName*>(duckdb_aggregate_function_get_extra_info(info));
        duckdb_vector_ensure_validity_writable(result);
        for (idx_t i = 0; i < count; ++i) {
          const std::optional<double> value = ValueOf(At(states[i]), one->aggregate);
          static_cast<double*>(duckdb_vector_get_data(result))[offset + i] = value.value_or(0);
          if (value) continue;
          duckdb_validity_set_row_invalid(duckdb_vector_get_validity(result), offset + i);
        }
      });
  duckdb_aggregate_function_set_destructor(function,
                                           [](duckdb_aggregate_state* states, idx_t count) {
                                             for (idx_t i = 0; i < count; ++i)
                                               At(states[i]).~ExactMoments();
                                           });
  TACIT_ASSERT(duckdb_register_aggregate_function(connection, function) == DuckDBSuccess);
  duckdb_destroy_logical_type(&type);
  duckdb_destroy_aggregate_function(&function);
}

}  // namespace

DuckDbSession::DuckDbSession(Functions functions) {
  TACIT_ASSERT(duckdb_open(nullptr, &database_) == DuckDBSuccess);
  TACIT_ASSERT(duckdb_connect(database_, &connection_) == DuckDBSuccess);
  if (functions == Functions::kNone) return;
  RegisterFinite(connection_);
  for (const ExactAggregateName& described : kExactAggregates) {
    RegisterExact(connection_, described);
  }
}

DuckDbSession::~DuckDbSession() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

Result<std::vector<Row>> DuckDbSession::Query(const std::string& text) {
  duckdb_result result;
  const duckdb_state state = duckdb_query(connection_, text.c_str(), &result);
  if (state != DuckDBSuccess) {
    const char* message = duckdb_result_error(&result);
    Error error{.code = ErrorCode::kInternal,
                .public_message = message != nullptr ? message : "unknown",
                .hint = "",
                .position = std::nullopt,
                .private_detail = ""};
    duckdb_destroy_result(&result);
    return error;
  }
  std::vector<Row> rows;
  for (idx_t r = 0; r < duckdb_row_count(&result); ++r) {
    Row& row = rows.emplace_back();
    for (idx_t c = 0; c < duckdb_column_count(&result); ++c) {
      char* value = duckdb_value_varchar(&result, c, r);
      row.push_back(value != nullptr ? std::optional<std::string>(value) : std::nullopt);
      duckdb_free(value);
    }
  }
  duckdb_destroy_result(&result);
  return rows;
}

}  // namespace tacit::sql::testing
