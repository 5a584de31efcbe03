#pragma once

#include "analysis/facts.h"
#include "base/result.h"
#include "policy/policy.h"
#include "policy/schema.h"
#include "sql/tree.h"

namespace tacit::analysis {

// Proves that the query can be answered privately and says how, or refuses by a rule of
// analysis/rules.h. Reads names and types only; nothing it says depends on a row. `zone` is the
// session's, as sql::ZoneName gives it.
Result<Facts> Analyze(const sql::Query& query, const policy::Policy& policy,
                      const policy::Schema& schema, const std::string& zone = "");

}  // namespace tacit::analysis
