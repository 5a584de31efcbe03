#pragma once

#include <string>
#include <vector>

#include "policy/policy.h"

namespace tacit::policy {

// What the owner says that no row of the table can be, as conditions in SQL: synthetic rows then
// are not it either. Read from the policy's file when somebody makes such rows, and by nobody else.
Result<std::vector<std::string>> ReadImpossible(const Policy& policy, const Table& table);

}  // namespace tacit::policy
