#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "plan/private_plan.h"
#include "sql/testing/duckdb_session.h"

namespace tacit::golden {

// Carries a plan out on a test database with noise that is zero: what the answer is around. Groups
// are selected as the plan says. Values of a row are joined with |, NULL is NULL.
Result<std::vector<std::string>> RunWithoutNoise(const plan::PrivatePlan& plan,
                                                 sql::testing::DuckDbSession& session);

}  // namespace tacit::golden
