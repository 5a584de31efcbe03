#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "engine/duckdb/files/open_data.h"
#include "engine/server/catalog.h"
#include "policy/policy.h"
#include "policy/schema.h"

namespace tacit::gateway {

// What questions are run on, and what is in it.
struct StoredData {
  engine::duckdb::DataSource source;  // nothing where a server holds the tables
  bool prepared = false;              // it is the copy that `tacit prepare` made
  policy::Schema schema;
  std::shared_ptr<const engine::server::Catalog> catalog = nullptr;  // of the server
};

// The prepared copy of the policy's data where there is a fresh one, else the data itself. Names
// and types only: reads no row, except of files in place that were not verified yet
// (owner/in_place/verify.h), or are said to be unique in a cluster of Trino's.
Result<StoredData> FindStoredData(const policy::Policy& policy, std::string_view deployment_key);

}  // namespace tacit::gateway
