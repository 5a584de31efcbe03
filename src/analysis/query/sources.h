#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/facts.h"
#include "sql/tree.h"

// What the parts of a query give.
namespace tacit::analysis {

// A column that a name can mean inside a query over protected rows.
struct NamedColumn {
  std::string table;  // the qualifier under which it is known
  std::string name;
  Expression expression;  // over scans: t1.age
  bool merged = false;    // the right side's copy of a USING column: reached by its table only
};

struct ProtectedRows {
  Rows rows;
  std::vector<NamedColumn> columns;  // in the order of SELECT *
};

// What a query gives: SQL over releases, or protected rows.
using Source = std::variant<sql::Query, ProtectedRows>;

// What an item of FROM gives. A stored public table may be read on either side of the frontier.
struct PublicItem {
  sql::Relation relation;
  std::optional<sql::TableReference> stored;  // as written
  // Of a query that only picks columns of a stored one: which, and what they are called. With
  // `distinct` each combination of their values is one row.
  std::vector<std::pair<std::string, std::string>> picked = {};
  bool distinct = false;
  // And which rows: a condition over the stored columns, named without their table.
  sql::Expression where = {};
};
using FromItem = std::variant<PublicItem, ProtectedRows>;

// What FROM gives: its items, or all of them joined if one of them is protected.
using From = std::variant<std::vector<FromItem>, ProtectedRows>;

}  // namespace tacit::analysis
