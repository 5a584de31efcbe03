#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/postgres/catalog/catalog.h"
#include "engine/postgres/connection/connection.h"
#include "plan/private_plan.h"

// What `tacit prepare` stores in a schema of its own, copies.md says what is kept and why:
//
//   tacit_copies   a row for each table with a cap: its copy's name, what it was made of, and which
//                  tables it was made from, in which state
//   tacit_changes  a row for each statement that changed one of those, written by a trigger, which
//                  calls the function tacit_changed, in the transaction of the change
//   tacit_copy_*   the rows that a table's scan lets through, in the order of their units and
//   ranks:
//                  c0, c1, ... as the catalog reads them, tacit_unit, tacit_rank, and g0, ... of
//                  every numeric column with bounds: clamped, in steps of its grid
namespace tacit::engine::postgres {

using server::WantedCopies;

struct Copy {
  std::string relation;       // quoted, with its schema
  std::vector<size_t> grids;  // of which columns, by their places in the catalog
};
using Copies = std::map<std::string, Copy>;  // by folded names of tables

std::string CopyColumn(size_t place);
std::string GridOfCopy(size_t place);

// What copies would have to be made of under this policy, with these tables and this key: of every
// table with a cap whose rows PostgreSQL has words to rank.
WantedCopies WantCopies(const policy::Policy& policy, const policy::PostgresSettings& settings,
                        const Catalog& catalog, std::string_view deployment_key);

// The copies that hold, for the snapshot of this session, what their tables' scans let through.
// proof: engine/postgres/prepared/copies.md#a-fresh-copy
Result<Copies> FindCopies(Connection& connection, const WantedCopies& wanted);

// Opens a session of its own for that, and says in the catalog which copies are wanted.
Result<Copies> FindCopies(const policy::Policy& policy, const policy::PostgresSettings& settings,
                          std::string_view deployment_key, Catalog& catalog);

// Says in the schema which tables' copies are read instead.
void MarkPrepared(const Copies& copies, policy::Schema& schema);

// over_copies.cc: the release over what is stored. An error where a table was planned as prepared,
// has no fresh copy and may not be read itself.
Result<plan::Release> OverCopies(const plan::Release& release, const Catalog& catalog,
                                 const Copies& copies);
// Whether the database keeps the table's own unit column unique, as questions read it.
bool KeepsUnitsUnique(const Catalog& catalog, const plan::tree::Scan& scan);
// How the rows are stored that the release reads, a sentence each: the owner's affair.
std::vector<std::string> StorageSentences(const plan::Release& release, const Copies& copies);

// make.cc: the rows of a copy; $1 is engine/row_key.h's, where it is used.
struct CopyText {
  std::string select;
  bool uses_key = false;
  std::vector<size_t> grids;
  std::vector<std::string> roots;  // the tables that its rows depend on
};
Result<CopyText> PrintCopy(const policy::Policy& policy, const policy::Table& table,
                           const Catalog& catalog);

// Statements over an array of tables: all of them with their partitions, as `relid`; and their
// state, as one text.
std::string PartsOfTables(const std::string& roots);
std::string StateOfTables(const std::string& roots);
// A row where the table has the trigger of the schema $1, which fires whoever writes.
std::string TriggerSql(const std::string& table);

}  // namespace tacit::engine::postgres
