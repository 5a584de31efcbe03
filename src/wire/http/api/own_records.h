#pragma once

#include <string>

#include "wire/service/house.h"

// What GET /v1/budget, /v1/ledger and /v1/tables show, as JSON. Amounts of privacy are texts,
// exact.

namespace tacit::wire::http {

Result<std::string> BudgetJson(House& house, const std::string& analyst);
Result<std::string> LedgerJson(House& house, const std::string& analyst);
// Without hidden columns, and without anything that depends on a row.
std::string TablesJson(const Terms& terms);

}  // namespace tacit::wire::http
