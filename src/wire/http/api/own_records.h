#pragma once

#include <string>
#include <vector>

#include "wire/deployment/live_deployment.h"
#include "wire/http/message.h"
#include "wire/service/account.h"

// What GET /v1/budget, /v1/ledger and /v1/tables show, as JSON. Amounts of privacy are texts,
// exact.

namespace tacit::wire::http {

Result<std::string> BudgetJson(LiveDeployment& deployment, const std::string& analyst);
Result<Pieces> LedgerJson(LiveDeployment& deployment, const std::string& analyst);
Pieces LedgerPieces(const std::string& analyst, std::vector<ChargeLine> charges, bool pure);
// Without hidden columns, and without anything that depends on a row.
std::string TablesJson(const Terms& terms);

}  // namespace tacit::wire::http
