#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/facts.h"
#include "policy/policy.h"
#include "policy/schema.h"
#include "sql/tree.h"

// The inside of analysis. A query is either public (it reads public tables and releases only) and
// stays SQL, rewritten; or it gives protected rows, which then are a Rows with named columns
// (query/sources.h). The step from rows to a release is blocks/frontier.h.
namespace tacit::analysis {

// The columns of all scans, by the alias of the scan and the column's stored name.
using RowColumns = std::map<std::pair<std::string, std::string>, RowColumn>;

// A condition that keeps the rows whose values are among those of a public query.
struct Membership {
  std::vector<Expression> operands;
  Expression joined;  // them, as one value
  Expression condition;
  sql::Query values;
};

// What is known of a query while it is analysed: what was given, and what was found so far. A
// function that takes it const finds nothing new.
struct Known {
  const policy::Policy& policy;
  const policy::Schema& schema;
  const sql::Query written;     // the whole query
  const size_t written_bytes;   // of the same, literals and parameters included
  const std::string zone = {};  // the session's, where it is not UTC

  RowColumns columns = {};
  std::vector<Constant> constants = {};  // v1 is the first, until a block takes those that it uses
  std::vector<Membership> memberships = {};
  std::set<std::string> nullable = {};  // scans on the side of an outer join that may be missing
  int scans = 0;
  Facts facts = {};
};

// The name of a new scan: t1, t2, ...
std::string NextAlias(Known& known);

// What is known of a column of a new scan; the result names it.
Expression AddColumn(Known& known, const sql::ColumnReference& place, RowColumn column);

}  // namespace tacit::analysis
