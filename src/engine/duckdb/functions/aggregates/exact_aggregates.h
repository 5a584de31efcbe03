#pragma once

#include "engine/duckdb/database/api.h"

namespace tacit::engine::duckdb {

// The aggregates of sql/print/engine_functions.h, for all connections of the connection's database.
bool RegisterExactAggregates(duckdb_connection connection);

}  // namespace tacit::engine::duckdb
