#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/result_table.h"

namespace tacit::answer {

// A released table as the ledger keeps it: docs/stored_answers.md. The same table always gives the
// same bytes, and only bytes that writing can produce are read.
std::string WriteTable(const engine::ResultTable& table);
Result<engine::ResultTable> ReadTable(std::string_view bytes);

}  // namespace tacit::answer
