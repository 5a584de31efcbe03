#pragma once

#include <string>
#include <vector>

#include "engine/duckdb/database/database.h"
#include "policy/policy.h"

namespace tacit::engine::duckdb {

// What statements are run on: a database file (the data itself or its prepared copy), or files that
// are read in place.
struct DataSource {
  std::string path;                            // of the database
  std::vector<policy::FileTable> tables = {};  // that stand in files; then `path` means nothing
  // What it was when its schema was read; empty: whatever is there when it is opened.
  std::string identity = {};
};

// The data that a policy names, whatever it is at this moment.
DataSource SourceOf(const policy::DuckdbSettings& data);

// Opens it for questions. kUnavailable when it is another one than the source names.
Result<Database> OpenData(const DataSource& source, const Limits& limits);

}  // namespace tacit::engine::duckdb
