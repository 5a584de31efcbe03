#pragma once

#include "engine/duckdb/files/found_tables.h"
#include "owner/progress.h"
#include "policy/schema.h"

namespace tacit::owner {

// For `tacit prepare`: the tables that stand in files as stored ones of the database that is
// attached as `database`. They are read once, and all else is made of what was read then: rows have
// numbers there, and a file that is replaced meanwhile cannot be in one step and not in the next.
Result<Done> StageFiles(const engine::duckdb::FoundTables& found, const policy::Schema& schema,
                        const std::string& database, engine::duckdb::Connection& connection,
                        const Progress& progress);

}  // namespace tacit::owner
