#pragma once

#include <optional>
#include <string>

#include "engine/duckdb/database/api.h"

// What a function of ours knows of a statement before the first row: read once, when the engine
// plans it.
namespace tacit::engine::duckdb {

// An argument that is a constant text; nothing for any other.
std::optional<std::string> ConstantText(duckdb_bind_info info, idx_t argument);

template <class Data>
void SetBindData(duckdb_bind_info info, const Data& data) {
  duckdb_scalar_function_set_bind_data(info, new Data(data),
                                       [](void* kept) { delete static_cast<Data*>(kept); });
  duckdb_scalar_function_set_bind_data_copy(
      info, [](void* kept) -> void* { return new Data(*static_cast<const Data*>(kept)); });
}

template <class Data>
const Data& BindData(duckdb_function_info info) {
  return *static_cast<const Data*>(duckdb_scalar_function_get_bind_data(info));
}

}  // namespace tacit::engine::duckdb
