#pragma once

#include "engine/duckdb/database.h"
#include "engine/exact_tables.h"

// Runs the pushed-down queries: the first key_count columns of the SELECT are group keys, the
// others whole numbers on their grids (count: steps of one). NULL, a sum over nobody, is 0. Every
// failure has the same public text: see errors.h.

namespace tacit::engine::duckdb {

// `public_keys` are all keys of the answer, each of key_count values, sorted and distinct; groups
// of the engine that are not among them are left out, those it did not return are zero. Without
// keys (key_count 0), public_keys is one empty key.
Result<ExactTable> RunWithPublicKeys(Connection& connection, const std::string& sql,
                                     size_t key_count,
                                     const std::vector<std::vector<Value>>& public_keys);

Result<PrivateTable> RunWithPrivateKeys(Connection& connection, const std::string& sql,
                                        size_t key_count);

}  // namespace tacit::engine::duckdb
