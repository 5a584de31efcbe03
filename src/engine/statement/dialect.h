#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/tree/tree.h"
#include "sql/print/dialect.h"

namespace tacit::engine::statement {

namespace tree = plan::tree;

// Columns of the program's own, beside analysis::kUnitColumn.
inline constexpr char kRankColumn[] = "tacit_rank";
inline constexpr char kNumberColumn[] = "tacit_number";
// A row's places in the groups of its unit: tree::GroupPlaces.
inline constexpr char kGroupPlace[] = "tacit_group";
inline constexpr char kPlaceInGroup[] = "tacit_in_group";

// SELECT items FROM from, of which those rows stay whose `rank`, a window, is at most `rows`. With
// a name the rank is one of the columns.
struct Ranked {
  std::string items;
  std::string from;
  std::string rank;
  std::string rank_name;
  Integer rows;
};

// Rows in their order within each unit: the column u.
struct RowsToPlace {
  std::string from;
  std::string keys;   // k1, k2
  std::string order;  // o1, k1, a1
};

// A stored table as tacit_base, and what tells its rows apart in one statement.
struct NumberedTable {
  std::string table;
  std::string row;
};

// How an engine writes what the tree means, beside its words for expressions (sql/print/dialect.h),
// which say what functions it has and how each is total. A new engine is one more of these, a
// connection and a map of types.
class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual const sql::Dialect& Words() const = 0;
  // For people.
  virtual std::string Name() const { return "the engine"; }
  // $1 as a value of that type.
  virtual std::string Parameter(size_t number, const std::string& type) const = 0;
  // The words for a key's declared value.
  virtual std::string KeyValue(const policy::KeyValue& value) const = 0;
  // One column, v, of these values; of all whole numbers from `low` to below `end`.
  virtual std::string Values(const std::vector<std::string>& values) const = 0;
  // The same of declared keys, as values of a type.
  virtual std::string KeyValues(const std::vector<policy::KeyValue>& keys,
                                const std::string& type) const {
    std::vector<std::string> values;
    for (const policy::KeyValue& key : keys) {
      values.push_back("CAST(" + KeyValue(key) + " AS " + type + ")");
    }
    return Values(values);
  }
  virtual std::string WholeNumbers(const Integer& low, const Integer& end, const Integer& step,
                                   const std::string& type) const = 0;
  // A stored column in double precision, where the engine has a faster way than its cast.
  virtual std::optional<std::string> AsDouble(const std::string& column,
                                              const ValueType& stored) const = 0;

  // What stands in FROM for a stored table, before AS: its columns under the names that a tree
  // uses.
  virtual std::string Table(const std::string& table) const { return Words().Identifier(table); }
  // The least of a stored column's values, as an aggregate.
  virtual std::string Least(const std::string& /*table*/, const std::string& column) const {
    return "min(" + Words().Identifier(column) + ")";
  }
  virtual NumberedTable Numbered(const std::string& table,
                                 const std::vector<std::string>& stored_columns) const = 0;
  // A row's place in the order that decides which rows a cap keeps: the keyed hash of table, unit
  // and all stored values, as tacit_base has them.
  virtual std::string RowHash(const tree::Scan& scan, const std::string& unit,
                              size_t key_parameter) const = 0;
  virtual std::string FirstRanked(const Ranked& ranked) const = 0;
  // The rows with kGroupPlace and kPlaceInGroup.
  virtual std::string GroupPlaced(const RowsToPlace& rows) const = 0;
  // What follows FROM: rows, as `rows`, for which there are keys, as `keys`.
  virtual std::string SemiJoin(const std::string& rows, const std::string& keys,
                               const std::string& on) const = 0;
  // a = b, as a condition of a join that the engine is to look at last.
  virtual std::string ComparedLast(const std::string& equality) const = 0;

  // What stands in FROM for the prepared copy of a table, before AS.
  virtual std::string PreparedTable(const std::string& table) const {
    return Words().Identifier(table);
  }
  // Every row of a prepared copy's table: the unit, its number and, if wished, the rank are stored.
  virtual std::string PreparedUnit(const tree::Scan& scan) const = 0;

  // The exact integer, or the list of counts, of a group: over the columns of the Project.
  virtual std::string Aggregate(const tree::Aggregate& aggregate,
                                tree::CountPeople people) const = 0;
  // Of an aggregate with a limit on people's own sums: what the summands of the row's unit add up
  // to, by their sizes, in the rows before it; as the column SumBefore names, which Aggregate
  // reads.
  virtual std::string OwnSumBefore(const tree::Aggregate& aggregate,
                                   const std::string& order) const = 0;
  // Of the rows that pass a condition, where there is one.
  virtual std::string People(tree::CountPeople people, const std::string& filter) const = 0;
  // What a group without rows has.
  virtual std::string Nothing(const tree::Aggregate& aggregate) const = 0;
};

// The column of what came before a row, of that aggregate.
inline std::string SumBefore(const tree::Aggregate& aggregate) {
  return "tacit_before_" + aggregate.name;
}

// print_groups.cc: the condition of rows that count, by an aggregate's filter and its cap; empty
// where all do.
std::string FilterOf(const tree::Aggregate& aggregate);
std::string FilterOf(const std::optional<analysis::GroupCap>& cap);

}  // namespace tacit::engine::statement
