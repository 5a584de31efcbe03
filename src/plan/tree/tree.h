#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/facts.h"
#include "sql/bind/bind.h"

// What is computed from protected rows, as a value that holds no engine's text. plan/compile.h
// makes it, engine/statement prints it in an engine's words, and an engine may rewrite it first
// into what it does faster. The file is one vocabulary, hence its length.
//
//   Scan -> RowCap -> Join, PerPerson, Union -> Project -> UnitCap -> Listed -> GroupPlaces ->
//   Groups
//
// The carried unit (../unit_cap.md): every node that looks at more than one row has it as a member
// without which the node cannot be made. A Unit comes from make.h alone.
namespace tacit::plan::tree {

using sql::Expression;

// An expression as it was asked, and what it means: names and types are settled, so that printing
// it cannot fail for anything that the query wrote.
struct Typed {
  Expression expression;
  sql::Bound bound;

  explicit operator bool() const { return static_cast<bool>(expression); }
};

// ---- whose a row is

// The column tacit_unit of a relation: never NULL in its own rows, out of reach of any name in a
// query.
// proof: plan/unit_cap.md#the-two-walls
class Unit {
 public:
  const std::string& relation() const { return relation_; }
  Expression Column() const {
    return sql::MakeExpression(sql::ColumnReference{relation_, analysis::kUnitColumn});
  }
  friend bool operator==(const Unit&, const Unit&) = default;

 private:
  friend class Makers;
  explicit Unit(std::string relation) : relation_(std::move(relation)) {}
  std::string relation_;
};
// A number that an engine stores beside the unit, one for each: stands for it.
struct UnitNumber {
  std::string relation;
};
// Under `unit: row`, which row of which relation a row was made of.
struct StoredRow {
  std::string relation;
};
// Under `unit: row` where no row was made of the same stored row as another.
struct EachRow {};
// What tells people apart in the rows that aggregates see.
using Person = std::variant<Unit, UnitNumber, StoredRow, EachRow>;

// ---- rows

struct RowsNode;
using Rows = sql::Shared<RowsNode>;

// A table that is nobody's. With `one_each`, one row for each value of those columns: which one is
// decided by the public rows alone.
struct PublicScan {
  std::string alias;
  std::string table;
  std::vector<std::string> stored_columns;
  std::vector<std::string> one_each;
  bool is_one_each = false;  // the database keeps it so
};

// Every row of a stored table whose unit is known, with it.
struct Scan {
  Unit unit;  // of its own alias
  std::string table;
  std::vector<std::string> stored_columns;  // all of them, in stored order: the hash's input
  std::set<std::string> opaque_columns;     // of types that have no rule: hashed as text
  std::vector<policy::UnitHop> hops;        // the way to the unit; none: it is the table's own
  std::string unit_column;                  // of the root table
  Integer rows_per_unit;
  bool unit_is_unique = false;  // the database keeps it so: there is nothing to cap
  bool ranked = false;          // gives tacit_rank too: a row's place among its unit's
  bool prepared = false;        // the engine's copy holds the rows within the cap, and their ranks
  const std::string& alias() const { return unit.relation(); }
};

// Of each unit the first rows by the keyed hash of the whole row, and then by all that tells two
// rows apart. Directly on the scan, before any filter.
struct RowCap {
  Scan scan;
  Integer rows;
};

// The same rows where an engine has stored them so. Its own rule makes it of a RowCap.
struct PreparedScan {
  Scan scan;
};

// Under `unit: row`: all rows of the table.
struct RowScan {
  std::string alias;
  std::string table;
  std::vector<std::string> stored_columns;
  bool told_apart = false;  // gives a number for each stored row, as tacit_number
  bool prepared = false;    // grid columns are stored
};

// A stored table as it is, all rows of it and no column in particular: an engine's rule makes it of
// a PreparedScan or a RowScan where rows are only counted.
struct WholeTable {
  std::string alias;
  std::string table;
};

class Join {
 public:
  sql::JoinKind kind = sql::JoinKind::kInner;
  Rows left;
  Rows right;
  bool units_last = false;  // compared after the rest, which an engine may find faster
  Typed on;                 // what the query wrote beside the units; may be absent

  // Of both sides, where both have people: they must be equal, whatever the query wrote.
  const std::optional<std::pair<Unit, Unit>>& units() const { return units_; }

 private:
  friend class Makers;
  Join() = default;
  std::optional<std::pair<Unit, Unit>> units_;
};

// A query inside each person's rows, as columns c1, c2, ... of a new relation. Windows have the
// unit in their partition, groups in their key.
struct PerPerson {
  Unit unit;   // of the relation that it makes
  Unit inner;  // of the rows that it reads
  Rows input;
  std::vector<Typed> filters;
  std::vector<Typed> items;
  bool grouped = false;
  std::vector<Typed> group_by;  // beside the unit
};

// UNION ALL of rows that each carry a unit. The parts' own aliases mean nothing.
struct Union {
  Unit unit;
  std::vector<PerPerson> parts;
};

// VALUES beside protected rows, as columns c1, c2, ...
struct Literals {
  std::string alias;
  std::vector<std::vector<Typed>> rows;
  size_t columns = 0;
};

// ---- rows as aggregates see them: keys k1, ..., arguments a1, factors b1, filters f1

enum class Form {
  kKey,        // equal ones have one form
  kValue,      // as it is
  kInDoubles,  // put on a grid next: numerics are computed in double precision (ask.cc)
};
struct ProjectedColumn {
  std::string name;
  Form form = Form::kValue;
  sql::Type type;
  Typed value;
};
struct Project {
  Person person;
  Rows input;
  std::vector<Typed> filters;
  std::vector<ProjectedColumn> columns;
  std::vector<std::string> ranks;  // relations whose tacit_rank comes along, as o1, o2, ...
};

// The second wall: of each unit no more rows than the analysis declared, the first by all columns
// of the Project. Rows that are equal in them are the same to every aggregate.
// proof: plan/unit_cap.md#the-two-walls
struct UnitCap {
  Unit unit;
  Rows input;
  Integer rows;
};

struct KeyListNode;
using KeyList = sql::Shared<KeyListNode>;

// Rows whose public keys are on the list; the others count nowhere.
struct Listed {
  Rows input;
  KeyList keys;
};

// The same rows with their places: which of its unit's groups a row is in, and which row of its
// unit it is there, both from 1, by the ranks and then by all columns of the Project. What an
// Aggregate's cap goes by. ../price/group_cap.md has the claim. Without keys only the order of a
// unit's rows is wanted, which a limit on its own sum goes by.
// proof: plan/price/group_cap.md#claim
struct GroupPlaces {
  Unit unit;
  Rows input;
  std::vector<std::string> keys;
};

struct RowsNode {
  std::variant<PublicScan, Scan, RowCap, PreparedScan, RowScan, WholeTable, Join, PerPerson, Union,
               Literals, Project, UnitCap, Listed, GroupPlaces>
      kind;
};
template <class T>
const T* As(const Rows& rows) {
  return rows ? std::get_if<T>(&rows->kind) : nullptr;
}

// ---- keys and groups

// A key whose values are known without looking at anybody.
struct PublicKey {
  size_t place = 0;  // among all keys: 0 is k1
  Typed expression;
  sql::Type type;
  std::vector<analysis::KeySource> sources;
  std::vector<Typed> outcomes;  // the query's own list, where there are no sources

  // Whether NULL may be among its values: a row then has it as it has any other.
  bool CanBeNull() const;
};
// All combinations of the public keys, narrowed by filters on their columns.
struct KeyListNode {
  std::vector<PublicKey> keys;
  std::vector<Typed> filters;
};

// An exact integer, or one for each cell, of every group. The expressions of `measure` are the
// columns named here; under its cap those rows count whose places are within it.
struct Aggregate {
  std::string name;  // m1, m2, ...
  analysis::ExactMeasure measure;
  std::string argument;  // a1; empty: none
  std::string factor;
  std::string filter;
  bool on_grid = false;  // the argument is a whole number of grid steps already, within the range
};

enum class CountPeople {
  kRows,       // each has one row at most
  kBySets,     // a set of people for each group
  kByNumbers,  // by the numbers of their units: an engine's own way
};

// One row a group, of those that somebody is in, under the cap where there is one; without keys one
// row.
struct Groups {
  Person person;
  Rows rows;
  std::vector<std::string> keys;
  bool with_people = false;  // gives the number of people of each group too, as `units`
  CountPeople people = CountPeople::kBySets;
  std::vector<Aggregate> aggregates;
  std::optional<analysis::GroupCap> cap = {};  // of who is in a group, and of `units`
};

// ---- the whole

// What expressions may name below the frontier.
struct KnownColumn {
  sql::ColumnReference name;
  sql::Type type;
  ValueType stored_type = kOpaqueType;
  std::string table;  // as stored, of a column of a scan
  std::string column;
  sql::Range range;
  std::optional<Rational> step;
  bool equals_unit = false;
};
struct Names {
  std::vector<KnownColumn> columns;
  std::vector<sql::Type> constants;  // tacit_constant.v1, ...: released values, bound as $1, ...

  const KnownColumn* Find(const sql::ColumnReference& name) const;
};

struct ExactNode {
  Names names;
  Groups groups;
  KeyList all_of;  // where every key is public: a row for each of the list, zeros included
  // These rows added up to a row for each value of some keys, which are shown alone; of none one
  // row.
  std::optional<std::vector<std::string>> totals_by = {};
};
using Exact = sql::Shared<ExactNode>;

// ---- public rows, which nobody pays for

// Every key of the list, in order.
struct AllKeys {
  Names names;
  KeyList keys;
};
struct OneRow {};
struct PublicColumns {
  std::string table;
  std::vector<std::pair<std::string, std::string>> columns;  // as stored, and as they are read
};
using PublicRows = std::variant<AllKeys, OneRow, PublicColumns>;

}  // namespace tacit::plan::tree
