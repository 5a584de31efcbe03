#pragma once

#include <string_view>

#include "engine/duckdb/database/api.h"

// Cells of flat vectors, without a call into the engine for each.

namespace tacit::engine::duckdb {

inline bool IsValid(const uint64_t* validity, idx_t row) {
  return validity == nullptr || (validity[row / 64] >> (row % 64) & 1) != 0;
}

// Valid as long as the chunk.
std::string_view TextAt(const void* cells, idx_t row);

// How a column's values are stored: of an enumeration or a decimal, what stands for it.
duckdb_type StoredTypeOf(duckdb_vector vector);

// How many bytes a value of a stored type has; 0 for texts, and no other types.
size_t WidthOf(duckdb_type stored);

// Makes `output` NULL in the first `size` rows where `input` is.
void CopyNulls(duckdb_vector input, duckdb_vector output, idx_t size);

}  // namespace tacit::engine::duckdb
