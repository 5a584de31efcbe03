#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/private_plan.h"

// What DuckDB is told to compute a release: the tree in its words, and its faster ways to the same
// groups (rules/rules.h).
namespace tacit::engine::duckdb {

// Group caps as one pass over rows in the order of their units, and within a unit of their ranks:
// as prepared tables are stored, or sorted so. Gives the groups that the statement gives.
struct StreamedLimit {  // of a unit; a row counts that is within both
  uint64_t groups = UINT64_MAX;
  uint64_t rows = UINT64_MAX;  // in one group
  friend bool operator==(const StreamedLimit&, const StreamedLimit&) = default;
};
struct StreamedMeasure {
  StreamedLimit limit = {};
  bool counts_units = false;
  bool has_filter = false;    // a column f of truth values
  bool has_argument = false;  // a column s; NULL is left out
  bool is_sum = false;        // of s; otherwise rows are counted
  Int128 own_sum = 0;         // the most that a unit's s add up to, by their sizes; 0: no limit
};
struct StreamedCap {
  // Columns tacit_number, k1, ..., and f and s of each measure that has them. Its parameters are
  // the first and the last number of a range of units and, where keys are numbered, the name of the
  // list of texts.
  std::string rows_sql;
  bool sorts = false;            // the statement sorts its range, which should not be too large
  std::vector<bool> numbered;    // of each key, whether it is a text that comes as its number
  std::string units_sql;         // the last number there is
  std::string keys_sql;          // every group that there is, where all keys are public; else empty
  uint64_t groups = UINT64_MAX;  // a group is one that is within so many of somebody's
  std::vector<StreamedMeasure> measures;
};

struct StoredColumn {
  std::string table;
  std::string column;
  friend auto operator<=>(const StoredColumn&, const StoredColumn&) = default;
};
// The statement with people compared after joins by keys of theirs. For a database in which one
// column of each list in `by` holds no value twice; only then is it the faster way.
struct DistinctJoins {
  std::string sql;
  std::vector<std::vector<StoredColumn>> by;
};

struct Statements {
  std::string sql;                   // columns k1..., `units` if wished, m1...
  bool uses_deployment_key = false;  // its last parameter, after one for each constant
  std::optional<StreamedCap> stream = {};
  std::optional<DistinctJoins> distinct_joins = {};
  // Where `sql` counts people by their numbers, the statement that counts them by sets, in the
  // engine's own memory; else empty.
  std::string sets_sql = {};
};

Result<Statements> StatementsOf(const plan::tree::Exact& exact);
Result<std::string> StatementOf(const plan::PublicTable& table);

// How rows are stored that the statements read, one sentence each: the owner's affair.
std::vector<std::string> StorageSentences(const plan::tree::Exact& exact);

}  // namespace tacit::engine::duckdb
