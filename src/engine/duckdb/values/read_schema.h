#pragma once

#include "engine/duckdb/database/database.h"
#include "policy/schema.h"

namespace tacit::engine::duckdb {

// Names and types of the tables in the main schema, sorted by name; reads no row. Views are left
// out: a policy protects what is stored. Of files that are read in place the views are the tables.
Result<policy::Schema> ReadSchema(Connection& connection);

}  // namespace tacit::engine::duckdb
