#include "analysis/facts.h"
#include "engine/duckdb/prepare/prepared_tables.h"
#include "engine/duckdb/rules/rules.h"
#include "engine/postgres/prepared/copies.h"
#include "plan/tree/check.h"
#include "plan/tree/walk.h"

// From tree to tree, as DuckDB's rules are (engine/duckdb/rules/rules.md).
namespace tacit::engine::postgres {
namespace {

namespace tree = plan::tree;
using tree::Rows;
using tree::RowsNode;

Error CopyIsStale(const std::string& table) {
  return Error{.code = ErrorCode::kUnavailable,
               .public_message = "the table " + table + " was changed since it was prepared; " +
                                 "nothing was charged",
               .hint = "the owner runs `tacit prepare` again, or `tacit check` to see why",
               .position = std::nullopt,
               .private_detail = "its copy is stale"};
}

}  // namespace

bool KeepsUnitsUnique(const Catalog& catalog, const tree::Scan& scan) {
  if (!scan.hops.empty()) return false;
  const CatalogTable* table = catalog.Find(scan.table);
  const CatalogColumn* unit = table != nullptr ? table->Find(scan.unit_column) : nullptr;
  return unit != nullptr && unit->seen.unique;
}

// proof: engine/postgres/prepared/copies.md#over-copies
Result<plan::Release> OverCopies(const plan::Release& release, const Catalog& catalog,
                                 const Copies& copies) {
  std::string stale;
  const auto change = [&](const Rows& rows) -> Rows {
    if (const auto* all = tree::As<tree::RowScan>(rows)) {
      tree::RowScan scan = *all;
      scan.prepared = false;  // nothing of it is stored
      return Rows(RowsNode{std::move(scan)});
    }
    const auto* cap = tree::As<tree::RowCap>(rows);
    if (cap == nullptr) return rows;
    tree::Scan scan = cap->scan;
    if (copies.contains(policy::FoldedName(scan.table))) {
      scan.prepared = true;
      return Rows(RowsNode{tree::PreparedScan{std::move(scan)}});
    }
    if (scan.prepared && catalog.copies && !catalog.copies->may_read_tables) stale = scan.table;
    scan.prepared = false;
    if (KeepsUnitsUnique(catalog, scan)) {
      scan.unit_is_unique = true;
      return Rows(RowsNode{std::move(scan)});
    }
    return Rows(RowsNode{tree::RowCap{.scan = std::move(scan), .rows = cap->rows}});
  };
  tree::ExactNode exact = duckdb::OverOtherScans(*release.exact, change);
  if (!stale.empty()) return CopyIsStale(stale);
  const auto has_grid = [&](const std::string& name, const std::string& column) {
    const CatalogTable* table = catalog.Find(name);
    const auto copy = copies.find(policy::FoldedName(name));
    if (table == nullptr || copy == copies.end()) return false;
    for (const size_t i : copy->second.grids) {
      if (policy::SameName(table->columns.at(i).seen.name, column)) return true;
    }
    return false;
  };
  TACIT_TRY(exact, duckdb::OverPreparedColumns(std::move(exact), has_grid));
  TACIT_ASSERT(tree::BrokenWall(exact).empty());
  plan::Release changed = release;
  changed.exact = tree::Exact(std::move(exact));
  return changed;
}

std::vector<std::string> StorageSentences(const plan::Release& release, const Copies& copies) {
  std::vector<std::string> sentences;
  tree::ForEachRelation(release.exact->groups.rows, [&](const Rows& relation) {
    const auto* cap = tree::As<tree::RowCap>(relation);
    if (cap == nullptr || !copies.contains(policy::FoldedName(cap->scan.table))) return;
    sentences.push_back(cap->scan.table + " is prepared: the rows within its cap are stored");
  });
  return sentences;
}

}  // namespace tacit::engine::postgres
