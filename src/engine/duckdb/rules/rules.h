#pragma once

#include <functional>

#include "base/result.h"
#include "engine/duckdb/statement/statements.h"
#include "plan/tree/tree.h"

// DuckDB's faster ways to the same groups. Each is a function from tree to tree (or to what runs
// beside a statement), in a file of its own; rules.md says what each one keeps, and why.
namespace tacit::engine::duckdb {

namespace tree = plan::tree;

// prepared_rows.cc: capped scans of prepared tables are the rows that are stored. Other engines say
// which those are.
tree::ExactNode OverPreparedRows(tree::ExactNode exact);
using ScanChange = std::function<tree::Rows(const tree::Rows& scan)>;
tree::ExactNode OverOtherScans(tree::ExactNode exact, const ScanChange& change);

// prepared_columns.cc: measures over bare columns read the stored grid integers, where a column of
// a table has them.
using HasGrid = std::function<bool(const std::string& table, const std::string& column)>;
Result<tree::ExactNode> OverPreparedColumns(tree::ExactNode exact, const HasGrid& has_grid = {});
// Whether a measure reads one now.
bool ReadsGridColumn(const tree::Aggregate& aggregate);

// grid_filters.cc: changes those conditions on a column of whole numbers that can be asked of its
// stored grid integers as well. The grid of what then passes.
policy::Grid AskOnGrid(const sql::ColumnReference& column, const sql::ColumnReference& on_grid,
                       const policy::Grid& grid, std::vector<sql::Expression>& filters);

// people_by_numbers.cc: units are told apart by their stored numbers, and people counted by them
// where each stored row comes once at most.
tree::ExactNode PeopleByNumbers(tree::ExactNode exact);

// counted_table.cc: a table whose rows are counted and nothing else.
tree::ExactNode CountedTable(tree::ExactNode exact);

// distinct_joins.cc: people compared after joins by other columns; nothing where no join has any.
struct LoosenedJoins {
  tree::ExactNode exact;
  std::vector<std::vector<StoredColumn>> by;  // DistinctJoins::by
};
std::optional<LoosenedJoins> LoosenJoins(const tree::ExactNode& exact);

// streamed_cap.cc: the group cap as one pass, over prepared tables.
Result<std::optional<StreamedCap>> StreamCap(const tree::ExactNode& exact);

// Whether the rows of a unit can be told apart by the ranks of the rows that they are made of: all
// from prepared tables of people, and public ones that a row meets once.
bool IsRanked(const tree::Rows& rows);

}  // namespace tacit::engine::duckdb
