#include "plan/duckdb/exact_sql.h"
#include "plan/duckdb/prepared.h"

// The group cap as SQL, over rows in any order. ../group_cap.md has the claim.
namespace tacit::plan::duckdb {
namespace {

using analysis::RowSource;

// Scans that the rows are joined from; what a query inside each person made has no rank.
void AddRanked(const RowSource& source, std::vector<std::string>* aliases) {
  if (const auto* scan = analysis::As<analysis::TableScan>(source)) {
    if (!scan->is_public) aliases->push_back(scan->alias);
    return;
  }
  const auto* join = analysis::As<analysis::RowJoin>(source);
  if (join == nullptr) return;
  AddRanked(join->left, aliases);
  AddRanked(join->right, aliases);
}

std::string Name(const char* letter, size_t i) { return letter + std::to_string(i + 1); }

struct Columns {
  std::string keys;    // k1, k2
  std::string orders;  // o1, o2 and then all else that tells two rows apart
};

Columns ColumnsOf(const analysis::Block& block) {
  Columns columns;
  const auto add = [](std::string& list, const std::string& name) {
    list += (list.empty() ? "" : ", ") + name;
  };
  for (size_t i = 0; i < PrintOrders(block).size(); ++i) add(columns.orders, Name("o", i));
  for (size_t i = 0; i < block.keys.size(); ++i) add(columns.keys, Name("k", i));
  add(columns.orders, SeenColumns(block));  // a group cap has keys, so this is never empty
  return columns;
}

}  // namespace

std::vector<std::string> PrintOrders(const analysis::Block& block) {
  std::vector<std::string> aliases;
  AddRanked(block.rows.source, &aliases);
  std::vector<std::string> items;
  for (const std::string& alias : aliases) {
    items.push_back(Quote(alias) + "." + Quote(kRankColumn) + " AS " + Name("o", items.size()));
  }
  return items;
}

// Rows whose key is not in a declared list count nowhere, and shall not take another's place.
Result<std::string> PrintListedRows(const analysis::Block& block, const std::string& rows) {
  std::string on;
  for (size_t i = 0; i < block.keys.size(); ++i) {
    if (!block.keys[i].IsPublic()) continue;
    on += (on.empty() ? "" : " AND ") + ("rows." + Name("k", i)) + " = keys." + Name("k", i);
  }
  if (on.empty()) return "(" + rows + ") AS rows";
  TACIT_TRY(const std::string keys, KeyListSql(block));
  return "(" + rows + ") AS rows SEMI JOIN (" + keys + ") AS keys ON " + on;
}

Result<std::string> PrintCapped(const analysis::Block& block, const std::string& rows) {
  TACIT_TRY(const std::string listed, PrintListedRows(block, rows));
  const Columns columns = ColumnsOf(block);
  const std::string group = "PARTITION BY u, " + columns.keys;
  const std::string numbered = "SELECT *, row_number() OVER (PARTITION BY u ORDER BY " +
                               columns.orders + ") AS tacit_place FROM " + listed;
  const std::string placed = "SELECT *, row_number() OVER (" + group +
                             " ORDER BY tacit_place) AS tacit_in_group, min(tacit_place) OVER (" +
                             group + ") AS tacit_first FROM (" + numbered + ") AS numbered";
  return "SELECT * FROM (" + placed +
         ") AS placed QUALIFY tacit_in_group <= " + block.group_cap->rows.get_str() +
         " AND dense_rank() OVER (PARTITION BY u ORDER BY tacit_first) <= " +
         block.group_cap->groups.get_str();
}

}  // namespace tacit::plan::duckdb
