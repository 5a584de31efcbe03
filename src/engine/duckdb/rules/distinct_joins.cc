#include <algorithm>
#include <set>

#include "engine/duckdb/rules/rules.h"
#include "plan/tree/walk.h"
#include "sql/walk.h"

// Protected rows are joined on the person and often on a key of theirs beside it:
//
//   JOIN lines ON lines.customer = orders.customer AND lines.number = orders.number
//
// The engine leaves out rows early, by a Bloom filter, where a join has one column; with two it is
// half as fast. So the person is compared after the join, where a number stands in one row only.
// Where numbers repeat this would join people with each other, to be sorted out afterwards: too
// slow to be tried, and it is for the engine to know.
namespace tacit::engine::duckdb {
namespace {

using sql::Expression;

// x.a = y.b with columns of two scans of protected tables.
struct Equality {
  sql::ColumnReference left;
  sql::ColumnReference right;
};

std::set<std::string> ScansIn(const tree::Rows& rows, bool with_public) {
  std::set<std::string> names;
  tree::ForEachRelation(rows, [&](const tree::Rows& relation) {
    const std::string* name = tree::NameOfScan(relation);
    if (name != nullptr && (with_public || !tree::As<tree::PublicScan>(relation))) {
      names.insert(*name);
    }
  });
  return names;
}

class Loosening {
 public:
  Loosening(const tree::Names& names, const tree::Project& project)
      : names_(names), scans_(ScansIn(project.input, false)) {
    Collect(project.input);
    for (const tree::Typed& filter : project.filters) Add(filter.expression);
  }

  // Which columns have to hold no value twice: of each list one.
  std::vector<std::vector<StoredColumn>> by;

  tree::Rows Map(const tree::Rows& rows) {
    const auto* join = tree::As<tree::Join>(rows);
    if (join == nullptr || join->kind == sql::JoinKind::kLeft) return rows;
    tree::Join changed = *join;
    changed.left = Map(join->left);
    changed.right = Map(join->right);
    changed.units_last = join->units() && HasKey(*join);
    return tree::Rows(tree::RowsNode{std::move(changed)});
  }

 private:
  // Inner joins alone: their conditions are the filters' like.
  void Collect(const tree::Rows& rows) {
    const auto* join = tree::As<tree::Join>(rows);
    if (join == nullptr || join->kind == sql::JoinKind::kLeft) return;
    Collect(join->left);
    Collect(join->right);
    for (const Expression& conjunct : sql::SplitConjuncts(join->on.expression)) Add(conjunct);
  }
  void Add(const Expression& conjunct) {
    const auto* equality = sql::As<sql::Operator>(conjunct);
    if (equality == nullptr || equality->symbol != "=" || equality->arguments.size() != 2) return;
    const auto* left = sql::As<sql::ColumnReference>(equality->arguments[0]);
    const auto* right = sql::As<sql::ColumnReference>(equality->arguments[1]);
    if (left == nullptr || right == nullptr || left->table == right->table ||
        !scans_.contains(left->table) || !scans_.contains(right->table)) {
      return;
    }
    const bool units = names_.Find(*left)->equals_unit && names_.Find(*right)->equals_unit;
    if (!units) keys_.push_back({*left, *right});
  }

  // A key joins the two sides as well, so that the engine need not join by units.
  bool HasKey(const tree::Join& join) {
    const std::set<std::string> left = ScansIn(join.left, true);
    const std::set<std::string> right = ScansIn(join.right, true);
    std::vector<StoredColumn> columns;
    for (const Equality& key : keys_) {
      const bool across = (left.contains(key.left.table) && right.contains(key.right.table)) ||
                          (left.contains(key.right.table) && right.contains(key.left.table));
      if (!across) continue;
      for (const sql::ColumnReference& side : {key.left, key.right}) {
        const tree::KnownColumn& column = *names_.Find(side);
        columns.push_back({.table = column.table, .column = column.column});
      }
    }
    if (columns.empty()) return false;
    by.push_back(std::move(columns));
    return true;
  }

  const tree::Names& names_;
  std::set<std::string> scans_;
  std::vector<Equality> keys_;
};

}  // namespace

// proof: engine/duckdb/rules/rules.md#people-are-compared-after-the-join
std::optional<LoosenedJoins> LoosenJoins(const tree::ExactNode& exact) {
  tree::Project project = tree::ProjectOf(exact.groups.rows);
  Loosening loosening(exact.names, project);
  project.input = loosening.Map(project.input);
  if (loosening.by.empty()) return std::nullopt;
  LoosenedJoins loosened{.exact = exact, .by = std::move(loosening.by)};
  loosened.exact.groups.rows = tree::WithProject(exact.groups.rows, project);
  return loosened;
}

}  // namespace tacit::engine::duckdb
