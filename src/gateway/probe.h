#pragma once

#include <vector>

#include "base/result.h"
#include "plan/private_plan.h"
#include "policy/policy.h"
#include "policy/schema.h"
#include "sql/tree.h"

// Clients ask `SELECT * FROM t LIMIT 0` or `... WHERE 1 = 0` to learn names and types. There is no
// row in the answer whatever the data, so nothing is run and nothing charged.

namespace tacit::gateway {

// LIMIT 0, or a condition without columns that is false, in a query that aggregates nothing.
bool IsZeroRowProbe(const sql::Query& query);

// A query that aggregates nothing and groups nothing: it asks for rows as they are.
bool IsAskingForRows(const sql::Query& query);

// The columns over the tables and visible columns of the policy; hidden columns are not there.
Result<std::vector<plan::OutputColumn>> ShapeOfProbe(const sql::Query& query,
                                                     const policy::Policy& policy,
                                                     const policy::Schema& schema);

}  // namespace tacit::gateway
