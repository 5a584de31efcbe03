#pragma once

#include <string>
#include <vector>

#include "engine/exact_tables.h"
#include "engine/postgres/catalog/catalog.h"
#include "engine/postgres/connection/connection.h"

namespace tacit::engine::postgres {

// Empty when the columns are what the plan promised.
std::string WrongShape(const Reply& columns, const plan::Release& release);

// Adds the rows; empty when all of them could be read.
std::string ReadGroups(const Reply& reply, const plan::Release& release, ExactGroups& groups);

Result<ResultTable> ReadPublic(const Reply& reply, const plan::PublicTable& table,
                               const Catalog& catalog);

}  // namespace tacit::engine::postgres
