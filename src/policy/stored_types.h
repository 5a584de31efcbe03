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

// Whether a foreign key and the key that it leads to are equal for no two people: as doubles two
// large integers are one, and a row would belong to both.
bool AreSameKeys(const ValueType& via, const ValueType& key);
// The error of a path whose keys are not.
Error OtherKeyType(const UnitHop& hop);
// Refuses a policy with such a path.
Result<Done> CheckKeyTypes(const Policy& policy, const Schema& schema);

}  // namespace tacit::policy
