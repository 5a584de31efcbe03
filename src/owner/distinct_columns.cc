#include "owner/distinct_columns.h"

namespace tacit::owner {
namespace {

using engine::duckdb::QuoteName;

// Why 100,000: most columns show a value twice in so many rows, and nobody waits for them.
constexpr char kFirstRows[] = "100000";

bool MayBeKey(const ValueType& type) {
  return type.IsWhole() || type.kind == ValueKind::kText || type.kind == ValueKind::kOther;
}

// Texts of a key are short: comments, which are distinct too, take long to count.
std::string LooksDistinct(const policy::SchemaColumn& column) {
  const std::string name = QuoteName(column.name);
  const std::string distinct = "count(DISTINCT " + name + ") = count(" + name + ")";
  if (column.type.IsWhole()) return distinct;
  return distinct + " AND coalesce(avg(length(CAST(" + name + " AS VARCHAR))), 0) <= 40";
}

}  // namespace

std::vector<std::string> FindDistinctColumns(const policy::SchemaTable& table,
                                             const std::string& from,
                                             engine::duckdb::Connection& connection,
                                             std::optional<engine::duckdb::Failure>* failure) {
  std::vector<std::string> distinct;
  for (const policy::SchemaColumn& column : table.columns) {
    if (!MayBeKey(column.type)) continue;
    const std::string name = QuoteName(column.name);
    bool holds = true;
    for (const std::string& statement :
         {"SELECT " + LooksDistinct(column) + " FROM (SELECT " + name + " FROM " + from +
              " LIMIT " + kFirstRows + ") AS first",
          "SELECT count(DISTINCT " + name + ") = count(" + name + ") FROM " + from}) {
      engine::ResultTable row;
      if (auto failed = connection.Query({.sql = statement}, 1, &row)) {
        *failure = std::move(failed);
        return {};
      }
      holds = holds && row.rows[0][0] == engine::Value(true);
      if (!holds) break;
    }
    if (holds) distinct.push_back(column.name);
  }
  return distinct;
}

}  // namespace tacit::owner
