#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/statement/dialect.h"
#include "policy/policy.h"
#include "policy/schema.h"

// What `tacit prepare` stores; rules/prepared_rows.cc and prepared_columns.cc use it. A prepared
// table holds the rows that its scan lets through and no others, in the order of their units and
// ranks, with the table's own columns and beside them:
//
//   tacit_unit    the unit, carried down its foreign keys (not where the unit is an own column)
//   tacit_rank    1, 2, ... of the unit's rows, by the keyed hash: the scan's own numbering
//   tacit_number  of the unit: the place of its first row in the table, counted from 1
//   tacit_grid_X  of every numeric column X with bounds: clamped, in steps of its grid
//
// A table with `unit: row` has grid columns only; a public table is copied as it is.
namespace tacit::engine::duckdb {

std::string GridColumn(const std::string& column);
bool IsGridColumn(const std::string& name);

// How the rows of a table are put in order without comparing whole rows: first their numbers, by
// unit and hash, which functions/looked_up/row_places.h turns into a place for each row, and
// then the rows by their places. All statements but `rows` take the deployment's key as $1 if it is
// used.
struct RowOrder {
  std::string rows;     // how many places there may be: one more than the largest number
  std::string by_hash;  // the number of each row that has a unit, whether its unit begins, its hash
  // How many hashes belong to rows of one unit that are not all the same; $2 names the places. Not
  // 0, which is one chance in 2^64 for each two rows of a person: the order has to be by_values.
  std::string collisions;
  std::string by_values;  // as by_hash; among equal hashes, the values of all columns decide
  bool uses_deployment_key = false;
  Integer rows_per_unit;
};

struct PreparedTable {
  std::string name;
  std::string select;             // its rows in order, from the tables as imported
  std::optional<RowOrder> order;  // its places, by name, are the parameter $1 of `select`
  // The number of stored rows that break what is said above: 0, or the copy must not be used. What
  // it proves does not rest on the order in which the engine hands rows from one step to the next.
  // The copy's name goes where kCopyMark stands; empty: there is nothing to break.
  std::string broken_rows;
};
inline constexpr char kCopyMark[] = "{copy}";

// Every table of the policy. An error for a column whose name a stored column needs.
Result<std::vector<PreparedTable>> PreparedTables(const policy::Policy& policy,
                                                  const policy::Schema& schema);

// ---- parts

// row_order.cc
RowOrder PrintRowOrder(const plan::tree::Scan& scan);
// SELECT all stored columns, tacit_unit where it is not one of them, tacit_rank and tacit_number,
// in the order of the places that $1 names.
std::string PrintPlacedRows(const plan::tree::Scan& scan);

}  // namespace tacit::engine::duckdb
