#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/postgres/catalog/catalog.h"
#include "policy/policy.h"
#include "policy/schema.h"

namespace tacit::gateway {

// What questions are run on, and what is in it.
struct StoredData {
  // The file; empty where a server holds the tables, which are then those of the catalog.
  std::string path;
  std::string identity;  // empty: whatever is there when it is opened (engine/duckdb/engine.h)
  policy::Schema schema;
  std::shared_ptr<const engine::postgres::Catalog> catalog = nullptr;
};

// The prepared copy of the policy's database where there is a fresh one, else the database itself.
// Names and types only: reads no row. kInvalidArgument for an engine that this program has not.
Result<StoredData> FindStoredData(const policy::Policy& policy, std::string_view deployment_key);

}  // namespace tacit::gateway
