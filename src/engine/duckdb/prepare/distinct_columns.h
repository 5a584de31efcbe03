#pragma once

#include <set>

#include "engine/duckdb/database/database.h"
#include "engine/duckdb/statement/statements.h"

// Columns in which no value stands twice. `tacit prepare` finds them and says so in the copy, as a
// comment on the column. For protected tables that is a fact about people's rows: it decides how
// fast the engine answers and never leaves it.

namespace tacit::engine::duckdb {

// The statement that says it of a column, both names quoted and the table's as far as it takes.
std::string MarkDistinctSql(const std::string& table, const std::string& column);

// Nothing marked where it cannot be read.
std::set<StoredColumn> ReadDistinctColumns(Connection& connection);

}  // namespace tacit::engine::duckdb
