#include "engine/duckdb/functions/aggregates/exact_aggregates.h"

#include <new>
#include <optional>

#include "engine/duckdb/database/no_throw.h"
#include "engine/duckdb/functions/aggregates/handed_over.h"
#include "engine/duckdb/values/logical_type.h"
#include "sql/print/engine_functions.h"

// DuckDB moves states by copying their bytes, and forgets where they were: that is what a
// std::unique_ptr inside of them allows.
namespace tacit::engine::duckdb {
namespace {

using sql::ExactAggregate;

// Which of them it is.
ExactAggregate OneOf(duckdb_function_info info) {
  return static_cast<const sql::ExactAggregateName*>(duckdb_aggregate_function_get_extra_info(info))
      ->aggregate;
}

// A state is an ExactMean, or ExactMoments where the squares are needed.
template <class State>
State& At(duckdb_aggregate_state state) {
  return *reinterpret_cast<State*>(state);
}

template <class State>
idx_t SizeOfState(duckdb_function_info) {
  return sizeof(State);
}

template <class State>
void BeginState(duckdb_function_info, duckdb_aggregate_state state) {
  const HandedOver own(&state, 1);
  StateMemory::Taken();
  new (state) State;
}

template <class State>
void AddNumbers(duckdb_function_info info, duckdb_data_chunk input,
                duckdb_aggregate_state* states) {
  InAggregate(info, [&] {
    duckdb_vector vector = duckdb_data_chunk_get_vector(input, 0);
    const auto* numbers = static_cast<const double*>(duckdb_vector_get_data(vector));
    uint64_t* known = duckdb_vector_get_validity(vector);
    const idx_t size = duckdb_data_chunk_get_size(input);
    const HandedOver own(states, size);
    for (idx_t row = 0; row < size; ++row) {
      if (known != nullptr && !duckdb_validity_row_is_valid(known, row)) continue;
      At<State>(states[row]).Add(numbers[row]);
    }
  });
}

template <class State>
void JoinStates(duckdb_function_info info, duckdb_aggregate_state* from,
                duckdb_aggregate_state* into, idx_t count) {
  InAggregate(info, [&] {
    const HandedOver theirs(from, count), own(into, count);
    for (idx_t i = 0; i < count; ++i) At<State>(into[i]).Add(At<State>(from[i]));
  });
}

template <class State>
void GiveValues(duckdb_function_info info, duckdb_aggregate_state* states, duckdb_vector result,
                idx_t count, idx_t offset) {
  InAggregate(info, [&] {
    const HandedOver own(states, count);
    const ExactAggregate aggregate = OneOf(info);
    auto* values = static_cast<double*>(duckdb_vector_get_data(result));
    for (idx_t i = 0; i < count; ++i) {
      const std::optional<double> value = sql::ValueOf(At<State>(states[i]), aggregate);
      values[offset + i] = value.value_or(0);
      if (value) continue;
      duckdb_vector_ensure_validity_writable(result);
      duckdb_validity_set_row_invalid(duckdb_vector_get_validity(result), offset + i);
    }
  });
}

template <class State>
void EndStates(duckdb_aggregate_state* states, idx_t count) {
  const HandedOver own(states, count);
  for (idx_t i = 0; i < count; ++i) At<State>(states[i]).~State();
  StateMemory::GivenBack();
}

template <class State>
void SetFunctions(duckdb_aggregate_function made) {
  duckdb_aggregate_function_set_functions(made, SizeOfState<State>, BeginState<State>,
                                          AddNumbers<State>, JoinStates<State>, GiveValues<State>);
  duckdb_aggregate_function_set_destructor(made, EndStates<State>);
}

bool RegisterOne(duckdb_connection connection, const sql::ExactAggregateName& described) {
  duckdb_aggregate_function made = duckdb_create_aggregate_function();
  duckdb_aggregate_function_set_name(made, described.name);
  // A constant, which nobody has to free or will change.
  duckdb_aggregate_function_set_extra_info(made, const_cast<sql::ExactAggregateName*>(&described),
                                           nullptr);
  const LogicalType number(duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE));
  duckdb_aggregate_function_add_parameter(made, number.get());
  duckdb_aggregate_function_set_return_type(made, number.get());
  duckdb_aggregate_function_set_special_handling(made);  // NULLs are left out here
  if (sql::NeedsSquares(described.aggregate)) {
    SetFunctions<ExactMoments>(made);
  } else {
    SetFunctions<ExactMean>(made);
  }
  const bool good = duckdb_register_aggregate_function(connection, made) == DuckDBSuccess;
  duckdb_destroy_aggregate_function(&made);
  return good;
}

}  // namespace

bool RegisterExactAggregates(duckdb_connection connection) {
  for (const sql::ExactAggregateName& described : sql::kExactAggregates) {
    if (!RegisterOne(connection, described)) return false;
  }
  return true;
}

}  // namespace tacit::engine::duckdb
