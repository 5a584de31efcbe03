#pragma once

#include "engine/duckdb/database/api.h"

// DuckDB and this program call each other through C functions, and an exception must not cross
// them: DuckDB's own code is not made for it, and a destructor that throws ends the program.

namespace tacit::engine::duckdb {

// For what destroys: nothing can be done about it, and nothing depends on it.
template <class Call>
void Quietly(Call call) noexcept {
  try {
    call();
  } catch (...) {
  }
}

// The text is fixed: it ends as a failed statement, whose own text never leaves.
inline constexpr char kCallbackThrew[] = "a function of the program got no memory";

// A scalar function that DuckDB may call: what it throws becomes the statement's error.
template <duckdb_scalar_function_t Body>
void WithoutThrowing(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  try {
    Body(info, input, output);
  } catch (...) {
    Quietly([&] { duckdb_scalar_function_set_error(info, kCallbackThrew); });
  }
}

// The same for what a scalar function does once for each statement.
template <duckdb_scalar_function_bind_t Body>
void BindWithoutThrowing(duckdb_bind_info info) {
  try {
    Body(info);
  } catch (...) {
    Quietly([&] { duckdb_scalar_function_bind_set_error(info, kCallbackThrew); });
  }
}

// The same for a part of an aggregate function.
template <class Call>
void InAggregate(duckdb_function_info info, Call call) noexcept {
  try {
    call();
  } catch (...) {
    Quietly([&] { duckdb_aggregate_function_set_error(info, kCallbackThrew); });
  }
}

}  // namespace tacit::engine::duckdb
