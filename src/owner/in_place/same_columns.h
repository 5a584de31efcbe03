#pragma once

#include "engine/duckdb/database/database.h"
#include "engine/duckdb/files/found_tables.h"

namespace tacit::owner {

// kInvalidArgument where a file of a table has other columns, or other types, than the first. Which
// columns a table has, and what they mean, must not depend on which files stand beside each other:
// the engine would take the first one's, cast the others' values, and fail on one that does not
// fit.
Result<Done> CheckSameColumns(const engine::duckdb::FoundTables& found,
                              engine::duckdb::Connection& connection);

}  // namespace tacit::owner
