#pragma once

#include "base/result.h"
#include "plan/tree/tree.h"

// The nodes that carry people's rows. Whoever makes one cannot leave the unit out: it is taken from
// what the node stands on.
namespace tacit::plan::tree {

// The unit that the rows carry; nothing where they are nobody's, or each a person of its own.
std::optional<Unit> UnitOf(const Rows& rows);
// Whether there are people's rows in it.
bool HasPeople(const Rows& rows);

// Settles names and types of expressions.
class Binder {
 public:
  explicit Binder(const Names& names);
  Result<Typed> Type(const Expression& expression) const;
  // The same arithmetic on numerics, in double precision: what is put on a grid next is rounded
  // there by far more than this loses, and 128-bit products take several times as long.
  Result<Typed> TypeInDoubles(const Expression& number) const;

 private:
  sql::Scope scope_;
};

class Makers {
 public:
  static Scan ScanOf(const analysis::TableScan& scan, bool ranked);
  // A table with units: capped, unless the database keeps units unique.
  static Rows OfTable(const analysis::TableScan& scan, bool ranked);
  // A join of two sides with people equates their units, whatever `on` says. `standing_in` names,
  // for each side, a relation inside it whose unit is compared: any will do (../unit_cap.md).
  static Rows OfJoin(sql::JoinKind kind, Rows left, Rows right, Typed on,
                     const std::optional<std::pair<std::string, std::string>>& standing_in);
  // `read` are all columns that the query can see of the rows: a window's order ends with them
  // where ties could be seen.
  static Result<PerPerson> OfQuery(const std::string& alias, Rows input,
                                   const std::vector<Expression>& filters,
                                   const analysis::UnitQuery& query,
                                   const std::vector<sql::ColumnReference>& read,
                                   const Binder& binder);
  static Rows OfUnion(const std::string& alias, std::vector<PerPerson> parts);
};

// What measures read of a row, each expression once (a1, b1, f1), and the measures over that.
struct Asked {
  std::vector<ProjectedColumn> columns;
  std::vector<Aggregate> aggregates;
};
Result<Asked> Ask(std::vector<analysis::ExactMeasure> measures, const Binder& binder);

}  // namespace tacit::plan::tree
