#include "plan/price/keys_per_unit.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sql/walk.h"

namespace tacit::plan {
namespace {

using analysis::Key;
using Keys = std::vector<const Key*>;

// Rows of one unit in each scan whose every joined row has one: not the sides of outer joins that
// may be missing, whose NULLs would be one value more, and not what was computed or public.
void AddRowsByScan(const analysis::RowSource& source, std::map<std::string, Integer>* rows) {
  if (const auto* scan = analysis::As<analysis::TableScan>(source)) {
    if (!scan->is_public) rows->emplace(scan->alias, scan->rows_per_unit);
  } else if (const auto* join = analysis::As<analysis::RowJoin>(source)) {
    AddRowsByScan(join->left, rows);
    if (join->kind != sql::JoinKind::kLeft) AddRowsByScan(join->right, rows);
  }
}

// The keys that are made of the same scans, directly or through one another.
struct Part {
  std::set<std::string> scans;
  Keys keys;
};

void AddToPart(const Key& key, std::vector<Part>& parts) {
  Part grown{.scans = {}, .keys = {&key}};
  for (const sql::ColumnReference& column : sql::ColumnsIn(key.expression)) {
    grown.scans.insert(column.table);
  }
  std::vector<Part> apart;
  for (Part& part : parts) {
    const bool shares = std::any_of(part.scans.begin(), part.scans.end(),
                                    [&](const auto& scan) { return grown.scans.contains(scan); });
    if (!shares) {
      apart.push_back(std::move(part));
      continue;
    }
    grown.scans.merge(part.scans);
    grown.keys.insert(grown.keys.end(), part.keys.begin(), part.keys.end());
  }
  apart.push_back(std::move(grown));
  parts = std::move(apart);
}

// A key is made of one row of each scan that it names.
std::optional<Integer> MostByRows(const Part& part, const std::map<std::string, Integer>& rows) {
  for (const Key* key : part.keys) {
    if (sql::HasSubquery(key->expression)) return std::nullopt;
  }
  Integer most = 1;
  for (const std::string& alias : part.scans) {
    const auto found = rows.find(alias);
    if (found == rows.end()) return std::nullopt;
    most *= found->second;
  }
  return most;
}

// A key that is not on its list counts nowhere, and what is on the list follows from the declared
// values of each column, however many keys read it.
std::optional<Integer> MostByLists(const Keys& keys) {
  std::map<std::pair<std::string, std::string>, Integer> columns;
  Integer most = 1;
  for (const Key* key : keys) {
    if (!key->IsPublic()) return std::nullopt;
    if (!key->outcomes.empty()) {
      most *= static_cast<unsigned long>(key->outcomes.size());
      continue;
    }
    for (const analysis::KeySource& source : key->sources) {
      const std::optional<int64_t> values = policy::MostOf(source.keys);
      if (!values) return std::nullopt;
      const bool one_more = source.with_null && !policy::ListsNull(source.keys);
      Integer& known = columns[{source.column.table, source.column.column}];
      known = std::max(known, Integer(static_cast<long>(*values) + (one_more ? 1 : 0)));
    }
  }
  for (const auto& [column, values] : columns) most *= values;
  return most;
}

}  // namespace

// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
Integer KeysPerUnit(const analysis::Block& block) {
  const Integer& all = block.rows.rows_per_unit;
  std::map<std::string, Integer> rows;
  AddRowsByScan(block.rows.source, &rows);
  std::vector<Part> parts;
  for (const Key& key : block.keys) AddToPart(key, parts);
  Integer most = 1;
  for (const Part& part : parts) {
    const std::optional<Integer> by_rows = MostByRows(part, rows);
    const std::optional<Integer> by_lists = MostByLists(part.keys);
    if (!by_rows && !by_lists) return all;
    most *= by_rows && by_lists ? std::min(*by_rows, *by_lists) : by_rows ? *by_rows : *by_lists;
  }
  return std::min(most, all);
}

std::optional<Integer> LengthOfList(const analysis::Block& block) {
  Keys keys;
  for (const Key& key : block.keys) keys.push_back(&key);
  return MostByLists(keys);
}

}  // namespace tacit::plan
