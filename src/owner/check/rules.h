#pragma once

#include "engine/duckdb/database/database.h"
#include "owner/check.h"
#include "policy/schema.h"

// The rules of `tacit check`, a file for what each needs to know. Each adds to the findings.

namespace tacit::owner {

using Findings = std::vector<Finding>;

inline void Add(Findings& findings, Severity severity, const policy::Place& place,
                std::string message, std::string remedy) {
  findings.push_back(Finding{severity, place, std::move(message), std::move(remedy)});
}

// Prices and declarations, by the policy alone.
void CheckPrices(const policy::Policy& policy, Findings& findings);
void CheckDeclarations(const policy::Policy& policy, Findings& findings);
// Key, ledger and database files: there, and closed to others.
void CheckFiles(const policy::Policy& policy, Findings& findings);
// Who else may read the files that are read in place.
void CheckFileModes(const policy::DuckdbSettings& data, Findings& findings);
// What the policy declares against what was charged for: that cannot change any more.
void CheckLedger(const policy::Policy& policy, Findings& findings);
// Names and types against the database.
void CheckSchema(const policy::Policy& policy, const policy::Schema& schema, Findings& findings);
void CheckKeys(const policy::Table& table, const policy::Column& column, const ValueType& type,
               const policy::Policy& policy, const policy::Schema& schema, Findings& findings);
// The same of tables that a server holds, by its catalog alone; and what its role may do there.
Result<Done> CheckServer(const policy::Policy& policy, const policy::PostgresSettings& settings,
                         Findings& findings);
// Of a cluster of Trino's it also reads rows: whether the columns are unique that are said to be.
Result<Done> CheckServer(const policy::Policy& policy, const policy::TrinoSettings& settings,
                         Findings& findings);
// Uniqueness, caps and delta, by reading rows; or only what can be an error.
enum class Wanted { kEverything, kErrors };
void CheckRows(const policy::Policy& policy, const policy::Schema& schema,
               engine::duckdb::Connection& connection, Wanted wanted, Findings& findings);

}  // namespace tacit::owner
