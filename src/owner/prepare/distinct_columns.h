#pragma once

#include <string>
#include <vector>

#include "engine/duckdb/database/database.h"
#include "policy/schema.h"

namespace tacit::owner {

// Columns of a stored table, `from` as SQL names it, that may be keys and in which no value stands
// twice.
Result<std::vector<std::string>> FindDistinctColumns(const policy::SchemaTable& table,
                                                     const std::string& from,
                                                     engine::duckdb::Connection& connection);

}  // namespace tacit::owner
