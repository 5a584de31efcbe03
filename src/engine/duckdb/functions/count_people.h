#pragma once

#include "engine/duckdb/api.h"

namespace tacit::engine::duckdb {

// tacit_people of plan/duckdb/functions.h, for all connections of the connection's database.
bool RegisterCountPeople(duckdb_connection connection);

}  // namespace tacit::engine::duckdb
