#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/server/catalog.h"

namespace tacit::engine::server {

// Before a charge, for analysts; why is for the operator's log.
Error Unreachable(const std::string& why);
Error TableChanged(const std::string& table, const std::string& how);

// For owners: one of the tables that their policy names cannot be used.
Result<Done> CheckUsable(const Catalog& catalog, const std::vector<std::string>& tables);

// Whether the tables are what they were when questions were planned with them.
Result<Done> CheckSame(const Catalog& before, const Catalog& now);

std::vector<std::string> NamesOf(const Catalog& catalog);

}  // namespace tacit::engine::server
