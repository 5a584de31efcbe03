#pragma once

#include "analysis/facts.h"
#include "policy/policy.h"
#include "policy/schema.h"

namespace tacit::analysis {

// The scan of a protected table as its policy says, without an alias. What reads it at a query and
// what `tacit prepare` stores of it come from the same value.
TableScan MakeTableScan(const policy::Policy& policy, const policy::Table& table,
                        const policy::SchemaTable& stored);

// The statement with which the owner has the database keep the key that a hop follows unique.
std::string UniqueIndexSql(const policy::UnitHop& hop);

}  // namespace tacit::analysis
