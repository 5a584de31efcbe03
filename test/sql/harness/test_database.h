#pragma once

#include <memory>
#include <string>

#include "policy/policy.h"
#include "policy/schema.h"
#include "sql/testing/duckdb_session.h"

namespace tacit::golden {

// databases/NAME.sql in an engine, with databases/NAME.yaml as its policy.
struct TestDatabase {
  policy::Policy policy;
  policy::Schema schema;
  std::unique_ptr<sql::testing::DuckDbSession> session;
};
Result<TestDatabase> OpenTestDatabase(const std::string& folder, const std::string& name);

}  // namespace tacit::golden
