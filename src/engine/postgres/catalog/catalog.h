#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/postgres/connection/connection.h"
#include "engine/server/catalog.h"

namespace tacit::engine::postgres {

using server::Catalog;
using server::CatalogColumn;
using server::CatalogTable;
using server::Stored;

// Of these tables; of all where there are no names. What is wrong with a whole schema is
// kUnavailable with words for the owner.
Result<Catalog> ReadCatalog(Connection& connection, const std::string& schema,
                            const std::vector<std::string>& names);

}  // namespace tacit::engine::postgres
