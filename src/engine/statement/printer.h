#pragma once

#include <map>
#include <set>

#include "base/result.h"
#include "engine/statement/dialect.h"

// The tree in an engine's words. Everything that an engine computes from protected rows is printed
// here, through its dialect, and nowhere else.
namespace tacit::engine::statement {

// Columns k1..., `units` if wished, m1...; rows in any order. Its parameters are the released
// constants, and then the deployment's key if tree::UsesDeploymentKey.
Result<std::string> PrintExact(const tree::ExactNode& exact, const Dialect& dialect);

// Columns k1...; reads no protected row.
Result<std::string> PrintKeys(const tree::AllKeys& keys, const Dialect& dialect);

// ---- parts, for an engine's own ways

class Printer {
 public:
  Printer(const tree::ExactNode& exact, const Dialect& dialect);
  Printer(const tree::Names& names, const Dialect& dialect);

  // print_expression.cc
  Result<std::string> Print(const tree::Typed& typed) const;
  Result<std::string> Print(const tree::ProjectedColumn& column) const;  // in its form
  Result<std::string> Conditions(const std::vector<tree::Typed>& filters) const;
  // print_rows.cc: what follows FROM, and the SELECT of rows as aggregates see them.
  Result<std::string> Source(const tree::Rows& rows) const;
  Result<std::string> Select(const tree::Rows& rows) const;
  // What follows FROM as `rows`: the same in parentheses, with the list of keys where there is one.
  Result<std::string> From(const tree::Rows& rows) const;
  // The order of a unit's rows, in columns of the Project.
  std::string OrderInUnit(const tree::Rows& rows) const;
  // print_keys.cc
  Result<std::string> KeyList(const tree::KeyListNode& list) const;
  // print_groups.cc
  Result<std::string> Groups(const tree::ExactNode& exact) const;

  std::string Quote(const std::string& name) const { return dialect_.Words().Identifier(name); }

 private:
  // print_groups.cc
  std::string OwnSumsBefore(const tree::Groups& groups) const;
  // print_rows.cc
  Result<std::string> Project(const tree::Project& project) const;
  Result<std::string> JoinOf(const tree::Join& join) const;
  Result<std::string> On(const tree::Join& join) const;
  Result<std::string> Query(const tree::PerPerson& query) const;
  Result<std::string> LiteralsOf(const tree::Literals& literals) const;
  std::string Carried(const tree::Unit& unit) const;
  std::string Constants() const;
  // print_scan.cc
  std::string Scan(const tree::Scan& scan, const std::optional<Integer>& cap) const;
  std::string PublicScan(const tree::PublicScan& scan) const;
  std::string Prepared(const tree::Scan& scan) const;
  std::string RowScan(const tree::RowScan& scan) const;
  std::vector<std::string> Read(const std::string& relation) const;
  // print_keys.cc
  std::string ValuesOf(const analysis::KeySource& source) const;
  std::string KnownValuesOf(const analysis::KeySource& source, const std::string& type) const;
  Result<std::string> KeyTables(const tree::KeyListNode& list) const;

  const tree::Names& names_;
  const Dialect& dialect_;
  std::map<std::string, std::set<std::string>> read_;
  std::map<std::string, std::string> doubles_;  // stored columns, as AsDouble gives them
  size_t key_parameter_ = 1;
};

// print_expression.cc: of what an engine cannot be asked, before anything is charged.
Error WithoutWords(const std::string& engine, const std::string& what);

// print_scan.cc: all rows of a table with units, for what is stored of them.
struct UnitRows {
  std::string row;      // its number in the table
  std::string unit;     // NULL: none, and the row is not stored
  std::string table;    // as tacit_base
  std::string parents;  // joins with what leads to the unit
  std::string hash;     // a unit's rows are ordered by this; empty where it has one row ...
  std::string columns;  // ... and then by these
};
UnitRows PrintUnitRows(const tree::Scan& scan, size_t key_parameter, const Dialect& dialect);

std::string ListOf(const std::vector<std::string>& parts, const std::string& separator);

}  // namespace tacit::engine::statement
