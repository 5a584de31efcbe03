#include "owner/prepare/distinct_columns.h"

#include "owner/prepare/store_table.h"

namespace tacit::owner {
namespace {

using engine::duckdb::QuoteName;

// Why 100,000: most columns show a value twice in so many rows, and nobody waits for them.
constexpr char kFirstRows[] = "100000";

// Nobody joins by a measurement, and nothing can be joined by what has no rule.
bool MayBeKey(const ValueType& type) { return !type.IsFloat() && type.kind != TypeKind::kOpaque; }

std::string Distinct(const std::string& name) {
  return "count(DISTINCT " + name + ") = count(" + name + ")";
}

// Texts of a key are short: comments, which are distinct too, take long to count.
std::string LooksDistinct(const policy::SchemaColumn& column) {
  const std::string name = QuoteName(column.name);
  const std::string distinct = Distinct(name);
  if (column.type.kind != TypeKind::kText) return distinct;
  return distinct + " AND coalesce(avg(length(" + name + ")), 0) <= 40";
}

}  // namespace

Result<std::vector<std::string>> FindDistinctColumns(const policy::SchemaTable& table,
                                                     const std::string& from,
                                                     engine::duckdb::Connection& connection) {
  const auto holds = [&](const std::string& condition, const std::string& of) -> Result<bool> {
    engine::ResultTable row;
    const auto failure = connection.Query({.sql = "SELECT " + condition + " FROM " + of}, 1, &row);
    if (failure) return CannotPrepare("table " + table.name, *failure);
    return row.rows[0][0] == engine::Value(true);
  };
  std::vector<std::string> distinct;
  for (const policy::SchemaColumn& column : table.columns) {
    if (!MayBeKey(column.type)) continue;
    const std::string name = QuoteName(column.name);
    const std::string first = "(SELECT " + name + " FROM " + from + " LIMIT " + kFirstRows + ")";
    TACIT_TRY(const bool likely, holds(LooksDistinct(column), first + " AS first"));
    if (!likely) continue;
    TACIT_TRY(const bool all, holds(Distinct(name), from));
    if (all) distinct.push_back(column.name);
  }
  return distinct;
}

}  // namespace tacit::owner
