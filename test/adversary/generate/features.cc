#include "features.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace tacit::adversary {

const std::vector<std::string>& AllFeatures() {
  static const std::vector<std::string> all = {
      // what is read
      // (meters and marks are refused whole: by the type of their key, by its collation)
      "table people", "table visits", "table stops", "table gauges", "table cards", "table badges",
      "table votes", "public table", "columns of a public table", "VALUES", "NULL among VALUES",
      "generate_series", "WITH ORDINALITY", "series of times", "unnest", "subquery in FROM",
      "WITH of people's rows", "WITH of results", "nested four deep",
      // joins
      "join inner", "join left", "join right", "join using", "join comma",
      "join with a further condition", "unit of the side that may be missing", "join public inner",
      "join public left", "join kept from the public side", "join VALUES cross",
      "join VALUES equal", "join VALUES left", "join kept from VALUES", "join VALUES condition",
      "join of results", "join with a result", "join with the one row of a result",
      // inside one person
      "DISTINCT with the unit", "DISTINCT ON", "GROUP BY the unit", "GROUP BY the unit and more",
      "HAVING inside a person", "UNION ALL of people's rows", "person count",
      "person count distinct", "person sum", "person extreme", "person average", "person variance",
      "person truth values", "public key inside a person", "window count", "window ntile",
      "window row_number", "window rank", "window sum", "window extreme", "window lag",
      "window first_value", "window avg", "window frame", "window frame of groups",
      "window partitioned by more",
      // subqueries
      "EXISTS", "NOT EXISTS", "IN subquery", "NOT IN subquery", "correlated by a column",
      "scalar subquery of a person", "IN public set", "scalar subquery of public rows",
      "scalar subquery of released values",
      // aggregates
      "count(*)", "count(x)", "count distinct", "count people", "sum", "avg", "min", "max",
      "extreme of dates", "variance", "percentile", "array of percentiles", "mode", "regression",
      "FILTER", "bounds of the query", "expression of aggregates",
      // keys
      "GROUP BY", "ROLLUP", "CUBE", "GROUPING SETS", "grouping()", "HAVING", "key list",
      "key range", "key months", "key truth values", "key expression", "key CASE of literals",
      "key literal", "key private column", "key private expression",
      // above
      "query over a result", "aggregate over a result", "window over a result", "recursive query",
      "DISTINCT of keys", "UNION ALL of results", "UNION of results", "INTERSECT of results",
      "EXCEPT of results", "INTERSECT ALL of results", "EXCEPT ALL of results", "ORDER BY",
      "LIMIT OFFSET",
      // expressions
      "WHERE", "literal", "comparison", "IS NULL", "BETWEEN", "IN list", "IS DISTINCT FROM", "LIKE",
      "IS TRUE", "AND OR NOT", "CASE", "coalesce", "nullif", "least greatest", "arithmetic",
      "math function", "round", "text function", "extract", "extract from an interval",
      "date_trunc", "make_date", "date arithmetic", "date minus date", "interval arithmetic",
      "interval times a number", "to_timestamp", "time minus time", "regular expression", "to_char",
      "date_bin", "age", "width_bucket", "time zone", "sum of a condition", "bounds of times",
      "bounds of the branches before", "list in a text", "cast of numbers", "cast from text",
      "cast to text", "cast of truth values", "cast of times"};
  return all;
}

void Features::Use(const std::string& name) {
  const std::vector<std::string>& all = AllFeatures();
  if (std::find(all.begin(), all.end(), name) == all.end()) {
    std::cerr << "no feature is called '" << name << "': add it to features.cc\n";
    std::abort();
  }
  used_.insert(name);
}

}  // namespace tacit::adversary
