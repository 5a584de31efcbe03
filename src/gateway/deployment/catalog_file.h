#pragma once

#include <string>

#include "engine/engine.h"

namespace tacit::gateway {

// The schema of the database file. Kept beside it (PATH-catalog) with the file's identity, so that
// EXPLAIN and stored answers need not open the engine; a catalog that is missing, unreadable or of
// another state of the file is read from the engine again. Names and types only: no row.
Result<policy::Schema> SchemaOf(const std::string& database_path, engine::Engine& engine);

}  // namespace tacit::gateway
