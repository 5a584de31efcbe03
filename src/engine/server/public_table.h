#pragma once

#include <string>
#include <vector>

#include "engine/result_table.h"
#include "engine/server/catalog.h"
#include "plan/private_plan.h"

namespace tacit::engine::server {

// What the server says of a statement's column.
struct GivenColumn {
  std::string name;
  ValueType type;
};

// The columns of a public table: as they are stored, or as the plan computes keys; else the
// server's word.
std::vector<ResultColumn> PublicColumnsOf(const plan::PublicTable& table, const Catalog& catalog,
                                          const std::vector<GivenColumn>& given);
// Keys in DuckDB's order; a public table as it comes.
void SetPublicRows(const plan::PublicTable& table, std::vector<std::vector<Value>> rows,
                   ResultTable& result);
Error PublicUnreadable(const std::string& why);

}  // namespace tacit::engine::server
