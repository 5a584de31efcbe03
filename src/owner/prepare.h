#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "owner/progress.h"
#include "policy/policy.h"

namespace tacit::owner {

// Makes the copy of the database that queries are fast on: rows with a unit only, at most
// rows_per_unit of each, clustered by unit, with ranks and grid columns
// (engine/duckdb/prepare/prepared_tables.h). The copy is built aside and moved into place when it
// is complete, so that an interrupted or killed run changes nothing, and a run beside queries
// disturbs none. Repeating it is safe; two at once are refused. Returns the tables that were
// stored. `threads`: 0 is one a core.
Result<std::vector<std::string>> Prepare(const policy::Policy& policy,
                                         std::string_view deployment_key, const Progress& progress,
                                         int threads = 0);

// The same where a PostgreSQL server holds the tables, in the schema that the policy names: by a
// role that owns them, so that the gateway's own never writes. Returns the tables with a cap.
Result<std::vector<std::string>> PrepareOnServer(const policy::Policy& policy,
                                                 const policy::PostgresSettings& writer,
                                                 std::string_view deployment_key,
                                                 const Progress& progress);

// Whether the copy that is there was made of this policy, this data and this key.
bool IsPrepared(const policy::Policy& policy, std::string_view deployment_key);

// Removes what a killed run left, unless another is at work there.
void RemoveUnfinished(const policy::Policy& policy);

}  // namespace tacit::owner
