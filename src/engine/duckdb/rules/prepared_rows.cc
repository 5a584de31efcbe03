#include "engine/duckdb/rules/rules.h"
#include "plan/tree/walk.h"

// A prepared table holds rows with a unit and within the cap alone: prepare counted the others
// before the copy was taken into use, and a policy with another cap has another copy. Asking again
// would read two more columns of every row.
namespace tacit::engine::duckdb {
namespace {

using tree::Rows;
using tree::RowsNode;

Rows Over(const Rows& rows, const ScanChange& change);

tree::PerPerson Over(tree::PerPerson query, const ScanChange& change) {
  query.input = Over(query.input, change);
  return query;
}

Rows Over(const Rows& rows, const ScanChange& change) {
  if (const auto* join = tree::As<tree::Join>(rows)) {
    tree::Join changed = *join;
    changed.left = Over(join->left, change);
    changed.right = Over(join->right, change);
    return Rows(RowsNode{std::move(changed)});
  }
  if (const auto* query = tree::As<tree::PerPerson>(rows)) {
    return Rows(RowsNode{Over(*query, change)});
  }
  if (const auto* united = tree::As<tree::Union>(rows)) {
    tree::Union changed = *united;
    for (tree::PerPerson& part : changed.parts) part = Over(std::move(part), change);
    return Rows(RowsNode{std::move(changed)});
  }
  return change(rows);
}

Rows OverStored(const Rows& rows) {
  const auto* cap = tree::As<tree::RowCap>(rows);
  const tree::Scan* scan = cap != nullptr ? &cap->scan : tree::As<tree::Scan>(rows);
  return scan != nullptr && scan->prepared ? Rows(RowsNode{tree::PreparedScan{*scan}}) : rows;
}

}  // namespace

tree::ExactNode OverOtherScans(tree::ExactNode exact, const ScanChange& change) {
  tree::Project project = tree::ProjectOf(exact.groups.rows);
  project.input = Over(project.input, change);
  exact.groups.rows = tree::WithProject(exact.groups.rows, project);
  return exact;
}

// proof: engine/duckdb/rules/rules.md#the-cap-is-stored
tree::ExactNode OverPreparedRows(tree::ExactNode exact) {
  return OverOtherScans(std::move(exact), OverStored);
}

}  // namespace tacit::engine::duckdb
