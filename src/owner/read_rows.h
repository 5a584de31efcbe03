#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "policy/schema.h"

namespace tacit::owner {

// A table's rows as the owner knows them: exact, every column, NULL as nothing.
struct ExactRows {
  std::vector<policy::SchemaColumn> columns;
  std::vector<std::vector<std::optional<std::string>>> cells;  // as PostgreSQL prints them
};

// Reads at most rows_max rows in stored order. For the owner at the keyboard, who holds the rows
// anyway: nothing read here may leave through an answer. kInvalidArgument for a table that the
// policy or the database does not have, kUnavailable when the database cannot be read.
Result<ExactRows> ReadRows(const policy::Policy& policy, const std::string& table,
                           int64_t rows_max);

}  // namespace tacit::owner
