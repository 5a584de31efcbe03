#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/exact_tables.h"
#include "engine/postgres/catalog/catalog.h"
#include "engine/postgres/connection/connection.h"

namespace tacit::engine::postgres {

std::vector<noise::Form> FormsOf(const plan::Release& release);

// Empty when the columns are what the plan promised.
std::string WrongShape(const Reply& columns, const plan::Release& release);

// Adds the rows; empty when all of them could be read.
std::string ReadGroups(const Reply& reply, const plan::Release& release, ExactGroups& groups);

Result<ResultTable> ReadPublic(const Reply& reply, const plan::PublicTable& table,
                               const Catalog& catalog);

// The row hash's key as a parameter: its mark, its length and itself, in hex.
std::string KeyBytesText(std::string_view key);

}  // namespace tacit::engine::postgres
