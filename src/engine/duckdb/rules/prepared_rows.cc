#include "engine/duckdb/rules/rules.h"
#include "plan/tree/walk.h"

// A prepared table holds rows with a unit and within the cap alone: prepare counted the others
// before the copy was taken into use, and a policy with another cap has another copy. Asking again
// would read two more columns of every row.
namespace tacit::engine::duckdb {
namespace {

using tree::Rows;
using tree::RowsNode;

Rows OverStored(const Rows& rows);

tree::PerPerson OverStored(tree::PerPerson query) {
  query.input = OverStored(query.input);
  return query;
}

Rows OverStored(const Rows& rows) {
  if (const auto* cap = tree::As<tree::RowCap>(rows)) {
    return cap->scan.prepared ? Rows(RowsNode{tree::PreparedScan{cap->scan}}) : rows;
  }
  if (const auto* scan = tree::As<tree::Scan>(rows)) {
    return scan->prepared ? Rows(RowsNode{tree::PreparedScan{*scan}}) : rows;
  }
  if (const auto* join = tree::As<tree::Join>(rows)) {
    tree::Join changed = *join;
    changed.left = OverStored(join->left);
    changed.right = OverStored(join->right);
    return Rows(RowsNode{std::move(changed)});
  }
  if (const auto* query = tree::As<tree::PerPerson>(rows)) {
    return Rows(RowsNode{OverStored(*query)});
  }
  if (const auto* united = tree::As<tree::Union>(rows)) {
    tree::Union changed = *united;
    for (tree::PerPerson& part : changed.parts) part = OverStored(std::move(part));
    return Rows(RowsNode{std::move(changed)});
  }
  return rows;
}

}  // namespace

// proof: engine/duckdb/rules/rules.md#the-cap-is-stored
tree::ExactNode OverPreparedRows(tree::ExactNode exact) {
  tree::Project project = tree::ProjectOf(exact.groups.rows);
  project.input = OverStored(project.input);
  exact.groups.rows = tree::WithProject(exact.groups.rows, project);
  return exact;
}

}  // namespace tacit::engine::duckdb
