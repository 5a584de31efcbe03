#pragma once

#include <string>
#include <string_view>

#include "engine/duckdb/prepare/prepared_tables.h"
#include "owner/progress.h"

namespace tacit::owner {

struct StoreRequest {
  std::string schema;    // where the copy's table is made, as SQL names it
  std::string folder;    // for what is needed meanwhile, and removed with it
  std::string_view key;  // engine/row_key.h
};

// Makes one table of the copy, over a session whose current schema is that of the data, and looks
// at what was stored: rows that are not in the order that queries rely on are an error.
Result<Done> StoreTable(const engine::duckdb::PreparedTable& table, const StoreRequest& request,
                        engine::duckdb::Connection& connection, const Progress& progress);

// What a failed statement is to the owner.
Error CannotPrepare(const std::string& what, const engine::duckdb::Failure& failure);

}  // namespace tacit::owner
