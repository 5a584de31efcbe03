#include "engine/duckdb/rules/rules.h"
#include "plan/tree/walk.h"

namespace tacit::engine::duckdb {

bool IsRanked(const tree::Rows& rows) {
  if (const auto* scan = tree::As<tree::PublicScan>(rows)) return !scan->one_each.empty();
  if (tree::As<tree::PreparedScan>(rows)) return true;
  // A row that is a person of its own is told apart by nothing else, and is stored as it is.
  if (const auto* scan = tree::As<tree::RowScan>(rows)) return scan->prepared;
  const auto* join = tree::As<tree::Join>(rows);
  return join != nullptr && IsRanked(join->left) && IsRanked(join->right);
}

namespace {

bool HasOuterJoin(const tree::Rows& rows) {
  const auto* join = tree::As<tree::Join>(rows);
  return join != nullptr && (join->kind != sql::JoinKind::kInner || HasOuterJoin(join->left) ||
                             HasOuterJoin(join->right));
}

// The prepared table whose rows are read, each at most once: tables of people are joined on the
// person, so that others with one row of each multiply none, and a public one is met once.
const tree::Scan* RepeatingScan(const tree::Groups& groups, const tree::Project& project) {
  if (tree::PlacesOf(groups.rows) != nullptr || !IsRanked(project.input) ||
      HasOuterJoin(project.input)) {
    return nullptr;
  }
  const tree::Scan* found = nullptr;
  int several = 0;
  tree::ForEachRelation(project.input, [&](const tree::Rows& relation) {
    const auto* stored = tree::As<tree::PreparedScan>(relation);
    if (stored == nullptr || stored->scan.rows_per_unit == 1) return;
    found = &stored->scan;
    ++several;
  });
  return several == 1 ? found : nullptr;
}

bool IsPrepared(const tree::Rows& rows, const std::string& alias) {
  bool prepared = false;
  tree::ForEachRelation(rows, [&](const tree::Rows& relation) {
    const auto* stored = tree::As<tree::PreparedScan>(relation);
    prepared = prepared || (stored != nullptr && stored->scan.alias() == alias);
  });
  return prepared;
}

}  // namespace

// proof: engine/duckdb/rules/rules.md#a-number-for-a-unit
tree::ExactNode PeopleByNumbers(tree::ExactNode exact) {
  tree::Project project = tree::ProjectOf(exact.groups.rows);
  const auto* unit = std::get_if<tree::Unit>(&project.person);
  if (unit == nullptr) return exact;
  const tree::Scan* repeating = RepeatingScan(exact.groups, project);
  const std::string relation = repeating != nullptr ? repeating->alias() : unit->relation();
  if (!IsPrepared(project.input, relation)) return exact;
  if (repeating != nullptr && exact.groups.people == tree::CountPeople::kBySets) {
    exact.groups.people = tree::CountPeople::kByNumbers;
  }
  project.person = tree::UnitNumber{relation};
  exact.groups.person = project.person;
  exact.groups.rows = tree::WithProject(exact.groups.rows, project);
  return exact;
}

}  // namespace tacit::engine::duckdb
