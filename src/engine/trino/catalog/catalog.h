#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/server/catalog.h"
#include "engine/trino/connection/connection.h"

namespace tacit::engine::trino {

using server::Catalog;
using server::CatalogColumn;
using server::CatalogTable;
using server::Stored;

// How a column is seen and read; `name` is quoted. Nothing for a type whose values cannot be
// compared or written down.
struct ColumnForm {
  ValueType type;
  std::string without_rule = {};
  std::string read;
  Stored stored = Stored::kText;
};
std::optional<ColumnForm> FormOf(const std::string& type, const std::string& name);

// Of these tables of the settings' schema; of all where there are no names. Trino keeps no keys:
// which columns hold no value twice is the policy's word (CheckUnique).
Result<Catalog> ReadCatalog(Connection& connection, const policy::TrinoSettings& settings,
                            const std::vector<std::string>& names, const TimeLimits& limits);

// Whether each of the settings' unique columns is there and holds no value twice. Reads rows, for
// the owner: never while somebody asks.
Result<Done> CheckUnique(Connection& connection, const policy::TrinoSettings& settings,
                         const Catalog& catalog, const TimeLimits& limits);

}  // namespace tacit::engine::trino
