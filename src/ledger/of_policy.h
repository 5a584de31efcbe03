#pragma once

#include <string>

#include "ledger/ledger.h"
#include "policy/policy.h"

// What a charge takes from the owner's policy.

namespace tacit::ledger {

// The budgets in force for this analyst (empty: the owner). kInvalidArgument for an analyst whom
// the policy does not name.
Result<Limits> LimitsOf(const policy::Policy& policy, const std::string& analyst);

Declarations DeclarationsOf(const policy::Policy& policy);

Accounting AccountingOf(const policy::Policy& policy);
Budget BudgetOf(const policy::Budget& budget);

// Folded, as ChargeRequest wants them.
std::vector<std::string> PublicTablesOf(const policy::Policy& policy);

Place PlaceOf(const policy::Policy& policy);

}  // namespace tacit::ledger
