#pragma once

#include "engine/duckdb/database/database.h"
#include "policy/policy.h"
#include "policy/schema.h"

// A foreign key leads to one person only if the key that it names is unique in its table, or if all
// rows with one value of it lead to the same. That is a
// fact of the database (a unique index, a constraint), or what `tacit prepare` saw of the very data
// that it copied. Without either, analysis refuses the table.

namespace tacit::owner {

// Whether a value of the column stands in rows with different values of `next`, which is what is
// read there on the way to the person. Rows that say the same of it are no harm: the scan reads
// one.
Result<bool> LeadsToTwo(const std::string& table, const std::string& column,
                        const std::string& next, engine::duckdb::Connection& connection);

// For prepare: an error that names the first key of a unit's path that is not unique.
Result<Done> CheckParentKeys(const policy::Policy& policy, const policy::Schema& schema,
                             engine::duckdb::Connection& connection);

// For init, which knows no paths yet: has the database keep those columns unique that are, and
// whose name another table has as well, as foreign keys mostly do. Says which.
Result<std::vector<std::string>> KeepKeysUnique(const policy::Schema& schema,
                                                engine::duckdb::Connection& connection);

}  // namespace tacit::owner
