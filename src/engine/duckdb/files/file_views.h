#pragma once

#include "engine/duckdb/database/database.h"
#include "engine/duckdb/files/found_tables.h"
#include "engine/duckdb/values/sound_values.h"

namespace tacit::engine::duckdb {

// The column of a view that tells rows apart, as rowid does in a stored table. No file may have it.
inline constexpr char kViewRowId[] = "rowid";

// Makes each table a view of its name in the session's current schema: the columns of its files and
// then those of their folders, every value sound (values/sound_values.h), and kViewRowId. Databases
// are attached, so the session must still be able to reach files. Reads no row.
//
// kInvalidArgument for what cannot be read, has no such table, or has a column whose name is
// Tacit's own.
Result<Done> MakeFileViews(Connection& connection, const FoundTables& found);

// What stands after FROM to read the table, or one file of it.
std::string FileReaderSql(const FoundTable& table, const std::vector<std::string>& paths);

// What a failed statement over a table's files is to the owner. The engine's text may quote rows:
// it is the private part, which `tacit check` shows and logs do not.
Error UnreadableFiles(const std::string& table, const Failure& failure);

}  // namespace tacit::engine::duckdb
