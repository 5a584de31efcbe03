#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sql/tree.h"

namespace tacit::sql {

struct TypedColumn {
  std::string name;
  Type type;
  friend bool operator==(const TypedColumn&, const TypedColumn&) = default;
};

// What tables exist: the policy's below the frontier, the released ones above it.
class KnownTables {
 public:
  virtual ~KnownTables() = default;
  // The columns of a table, or nullptr when there is no such table.
  virtual const std::vector<TypedColumn>* Find(const std::string& schema,
                                               const std::string& name) const = 0;
  // By whose clocks a query over them is answered; empty: UTC.
  virtual std::string Zone() const { return ""; }
};

// Whether two names are one but for the case of ASCII letters. A name fits what is spelled exactly
// so; where nothing is, it fits what is spelled so in another case: names keep the case that they
// are stored in, and most people write none of it.
bool FitsWithoutCase(const std::string& a, const std::string& b);

struct ScopeColumn {
  std::string table;  // the alias under which the relation is known
  TypedColumn column;
  bool merged = false;  // the right side's copy of a USING column: reached only by its table's name
  bool shared = false;  // the left side's copy: printed without a table, as USING defines it
};

// The columns that names can mean at one place of a query; a subquery's scope has its outer query's
// as a parent.
struct Scope {
  std::vector<ScopeColumn> columns;
  const Scope* parent = nullptr;

  // The column that a reference means, without case where nothing fits with it. Unknown and
  // ambiguous names are kInvalidQuery at `position`.
  Result<ScopeColumn> Find(const ColumnReference& reference, Position position) const;
  bool Has(const std::string& column) const;  // an unqualified name, in this scope only
};

}  // namespace tacit::sql
