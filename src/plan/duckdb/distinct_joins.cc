#include <algorithm>
#include <set>

#include "analysis/blocks/block_map.h"
#include "plan/duckdb/exact_sql.h"
#include "sql/walk.h"

// Protected rows are joined on the person and often on a key of theirs beside it:
//
//   JOIN lines ON lines.customer = orders.customer AND lines.number = orders.number
//
// The engine leaves out rows early, by a Bloom filter, where a join has one column; with two it is
// half as fast. So the person is compared after the join, where a number stands in one row only.
// Where numbers repeat this would join people with each other, to be sorted out afterwards: too
// slow to be tried, and it is for the engine to know.
namespace tacit::plan::duckdb {
namespace {

using sql::Expression;

// x.a = y.b with columns of two scans of protected tables.
struct Equality {
  sql::ColumnReference left;
  sql::ColumnReference right;
};

std::set<std::string> AliasesIn(const analysis::RowSource& source) {
  std::set<std::string> aliases;
  analysis::ForEachAlias(source, [&](const std::string& alias) { aliases.insert(alias); });
  return aliases;
}

class Loosening {
 public:
  explicit Loosening(const analysis::Block& block) : block_(block) {
    analysis::ForEachScan(block.rows.source, [&](const analysis::TableScan& scan) {
      if (!scan.is_public) scans_.insert(scan.alias);
    });
    Collect(block.rows.source);
    for (const Expression& filter : block.rows.filters) Add(filter);
  }

  // Which columns have to hold no value twice: of each list one.
  std::vector<std::vector<StoredColumn>> by;

  analysis::Block Loosened() {
    analysis::Block loosened = block_;
    loosened.rows.source = Map(block_.rows.source);
    return loosened;
  }

 private:
  // Inner joins alone: their conditions are the filters' like.
  void Collect(const analysis::RowSource& source) {
    const auto* join = analysis::As<analysis::RowJoin>(source);
    if (join == nullptr || join->kind == sql::JoinKind::kLeft) return;
    Collect(join->left);
    Collect(join->right);
    for (const Expression& conjunct : sql::SplitConjuncts(join->on)) Add(conjunct);
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
    const bool units = block_.ColumnOf(*left).equals_unit && block_.ColumnOf(*right).equals_unit;
    if (!units) keys_.push_back({*left, *right});
  }

  analysis::RowSource Map(const analysis::RowSource& source) {
    const auto* join = analysis::As<analysis::RowJoin>(source);
    if (join == nullptr || join->kind == sql::JoinKind::kLeft) return source;
    analysis::RowJoin changed = *join;
    changed.left = Map(join->left);
    changed.right = Map(join->right);
    changed.units_afterwards = join->left_unit && HasKey(*join);
    return analysis::RowSource(analysis::RowSourceNode{std::move(changed)});
  }

  // A key joins the two sides as well, so that the engine need not join by units.
  bool HasKey(const analysis::RowJoin& join) {
    const std::set<std::string> left = AliasesIn(join.left);
    const std::set<std::string> right = AliasesIn(join.right);
    std::vector<StoredColumn> columns;
    for (const Equality& key : keys_) {
      const bool across = (left.contains(key.left.table) && right.contains(key.right.table)) ||
                          (left.contains(key.right.table) && right.contains(key.left.table));
      if (!across) continue;
      for (const sql::ColumnReference& side : {key.left, key.right}) {
        const analysis::RowColumn& column = block_.ColumnOf(side);
        columns.push_back({.table = column.table, .column = column.column});
      }
    }
    if (columns.empty()) return false;
    by.push_back(std::move(columns));
    return true;
  }

  const analysis::Block& block_;
  std::set<std::string> scans_;
  std::vector<Equality> keys_;
};

}  // namespace

std::optional<LoosenedJoins> LoosenJoins(const analysis::Block& block) {
  Loosening loosening(block);
  analysis::Block loosened = loosening.Loosened();
  if (loosening.by.empty()) return std::nullopt;
  return LoosenedJoins{.block = std::move(loosened), .by = std::move(loosening.by)};
}

}  // namespace tacit::plan::duckdb
