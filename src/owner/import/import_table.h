#pragma once

#include "engine/duckdb/database/database.h"
#include "owner/import/source.h"
#include "owner/progress.h"
#include "policy/schema.h"

namespace tacit::owner {

// Reads one file into a table, sorted by `cluster_by` where it is not empty. NaN and infinities
// become NULL: no bound holds them. Engine texts are shown here: the owner reads their own file.
// The notes say how the file was read.
Result<std::vector<std::string>> ImportTable(engine::duckdb::Connection& connection,
                                             const TableFile& source, const std::string& cluster_by,
                                             const CsvDialect& dialect, const Progress& progress);

}  // namespace tacit::owner
