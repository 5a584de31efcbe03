#include "engine/duckdb/exact_query.h"

#include <algorithm>
#include <limits>

#include "engine/duckdb/errors.h"

namespace tacit::engine::duckdb {
namespace {

// The whole number of a cell. The types of a plan are known before it runs, so another type is a
// fault of the program and not of a row.
Int128 WholeOf(const Value& value) {
  if (IsNull(value)) return 0;
  if (const auto* narrow = std::get_if<int64_t>(&value)) return *narrow;
  const auto* wide = std::get_if<Numeric>(&value);
  TACIT_ASSERT(wide != nullptr && wide->scale == 0);
  return wide->unscaled;
}

struct SortedGroups {
  std::vector<ResultColumn> keys;
  size_t value_count = 0;  // of the statement, whether a group came back or not
  std::vector<ExactGroup> groups;
};

Result<SortedGroups> RunSorted(Connection& connection, const std::string& sql, size_t key_count) {
  ResultTable table;
  const Connection::Statement statement{.sql = sql, .select_only = true};
  if (const std::optional<Failure> failure =
          connection.Query(statement, std::numeric_limits<int64_t>::max(), &table)) {
    return ExactQueryFailed(failure->text);
  }
  if (table.columns.size() < key_count) return ExactQueryFailed("fewer columns than keys");
  for (size_t i = key_count; i < table.columns.size(); ++i) {
    if (!table.columns[i].type.IsWhole()) return ExactQueryFailed("a summand is not whole");
  }
  SortedGroups sorted;
  sorted.value_count = table.columns.size() - key_count;
  std::vector<ExactGroup>& groups = sorted.groups;
  groups.reserve(table.rows.size());
  const auto split = static_cast<std::ptrdiff_t>(key_count);
  for (std::vector<Value>& row : table.rows) {
    ExactGroup group;
    for (auto cell = row.begin() + split; cell != row.end(); ++cell) {
      group.values.push_back(WholeOf(*cell));
    }
    group.keys.assign(std::make_move_iterator(row.begin()),
                      std::make_move_iterator(row.begin() + split));
    groups.push_back(std::move(group));
  }
  std::sort(groups.begin(), groups.end(),
            [](const ExactGroup& a, const ExactGroup& b) { return a.keys < b.keys; });
  table.columns.resize(key_count);
  sorted.keys = std::move(table.columns);
  return sorted;
}

}  // namespace

Result<ExactTable> RunWithPublicKeys(Connection& connection, const std::string& sql,
                                     size_t key_count,
                                     const std::vector<std::vector<Value>>& public_keys) {
  TACIT_TRY(SortedGroups sorted, RunSorted(connection, sql, key_count));
  ExactTable table{.keys = std::move(sorted.keys), .rows = {}};
  auto group = sorted.groups.begin();
  for (const std::vector<Value>& key : public_keys) {
    TACIT_ASSERT(key.size() == key_count);
    while (group != sorted.groups.end() && group->keys < key) ++group;
    const bool found = group != sorted.groups.end() && group->keys == key;
    ExactRow row{.keys = key, .values = {}};
    for (size_t i = 0; i < sorted.value_count; ++i) {
      row.values.emplace_back(found ? group->values[i] : Int128{0});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Result<PrivateTable> RunWithPrivateKeys(Connection& connection, const std::string& sql,
                                        size_t key_count) {
  TACIT_TRY(SortedGroups sorted, RunSorted(connection, sql, key_count));
  return PrivateTable{.keys = std::move(sorted.keys),
                      .groups = Sensitive<std::vector<ExactGroup>>(std::move(sorted.groups))};
}

}  // namespace tacit::engine::duckdb
