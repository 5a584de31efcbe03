#pragma once

#include <string>

#include "owner/init.h"
#include "policy/schema.h"

namespace tacit::owner {

// `engine:` of a deployment whose tables are imported.
inline constexpr char kOwnDatabase[] = "engine: {kind: duckdb, path: data.duckdb}\n";

// The first policy of a deployment: every table and column with its type, and comments that say
// what the owner has to decide. A table without a unit in `units` is written undecided, and the
// policy does not load until the owner has said whose privacy it holds.
std::string WritePolicy(const policy::Schema& schema, const std::vector<UnitColumn>& units,
                        const std::string& engine = kOwnDatabase);
// The same of tables that a server holds.
std::string WritePolicy(const policy::Schema& schema, const std::vector<UnitColumn>& units,
                        const ServerTables& server);

// The entry of one table, as policy::WithEntry takes it.
std::string WriteTableEntry(const policy::SchemaTable& table, const std::vector<UnitColumn>& units,
                            bool is_public);

}  // namespace tacit::owner
