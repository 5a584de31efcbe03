#pragma once

#include "base/result.h"
#include "policy/policy.h"
#include "policy/schema.h"

namespace tacit::policy {

// "the column t.c is a HUGEINT, which has no rules" and how to store it instead.
Error UnruledColumn(const SchemaTable& table, const SchemaColumn& column);

// Refuses a policy whose people are told apart by a column without rules (SchemaColumn), whose keys
// come from one, or which declares anything about one but that it is hidden.
Result<Done> CheckUnruledColumns(const Policy& policy, const Schema& schema);

}  // namespace tacit::policy
