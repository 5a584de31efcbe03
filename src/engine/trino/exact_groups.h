#pragma once

#include <string>

#include "engine/exact_tables.h"
#include "engine/server/catalog.h"
#include "engine/trino/connection/connection.h"
#include "plan/private_plan.h"

namespace tacit::engine::trino {

// Adds the rows; empty when all of them could be read, and are what the plan promised.
std::string ReadGroups(const Reply& reply, const plan::Release& release, ExactGroups& groups);

Result<ResultTable> ReadPublic(const Reply& reply, const plan::PublicTable& table,
                               const server::Catalog& catalog);

}  // namespace tacit::engine::trino
