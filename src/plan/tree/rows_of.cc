#include "plan/tree/rows_of.h"

#include <map>

#include "analysis/blocks/block_map.h"
#include "base/mutant.h"

namespace tacit::plan::tree {
namespace {

using analysis::Block;

// Which stored columns the block uses of each scan.
std::map<std::string, std::set<std::string>> ColumnsUsed(const Block& block) {
  std::map<std::string, std::set<std::string>> used;
  Block copy = block;
  copy.columns.clear();
  copy.rows.unit = {};
  analysis::MapColumns(copy, [&](const sql::ColumnReference& reference) {
    const bool stored = !reference.column.empty() && reference.column != analysis::kUnitColumn;
    if (stored) used[reference.table].insert(reference.column);
    return reference;
  });
  return used;
}

class RowsBuilder {
 public:
  RowsBuilder(const Block& block, const Binder& binder)
      : block_(block), binder_(binder), used_(ColumnsUsed(block)) {}

  Result<Rows> Source(const analysis::RowSource& source) const {
    if (const auto* scan = analysis::As<analysis::TableScan>(source)) return Table(*scan);
    if (const auto* query = analysis::As<analysis::UnitQuery>(source)) {
      TACIT_TRY(PerPerson made, Query(query->alias, *query));
      return Rows(RowsNode{std::move(made)});
    }
    if (const auto* united = analysis::As<analysis::RowUnion>(source)) {
      std::vector<PerPerson> parts;
      for (const analysis::UnitQuery& part : united->parts) {
        TACIT_TRY(PerPerson made, Query(united->alias, part));
        parts.push_back(std::move(made));
      }
      return Makers::OfUnion(united->alias, std::move(parts));
    }
    if (const auto* literals = analysis::As<analysis::LiteralRows>(source)) {
      return Values(*literals);
    }
    const auto& join = *analysis::As<analysis::RowJoin>(source);
    TACIT_TRY(Rows left, Source(join.left));
    TACIT_TRY(Rows right, Source(join.right));
    Typed on;
    if (join.on) {
      TACIT_TRY(on, binder_.Type(join.on));
    }
    std::optional<std::pair<std::string, std::string>> standing_in;
    const auto* left_unit = sql::As<sql::ColumnReference>(join.left_unit);
    const auto* right_unit = sql::As<sql::ColumnReference>(join.right_unit);
    if (left_unit != nullptr && right_unit != nullptr) {
      standing_in = std::pair(left_unit->table, right_unit->table);
    }
    return Makers::OfJoin(join.kind, std::move(left), std::move(right), std::move(on), standing_in);
  }

 private:
  Rows Table(const analysis::TableScan& scan) const {
    if (scan.is_public) {
      return Rows(RowsNode{PublicScan{.alias = scan.alias,
                                      .table = scan.table,
                                      .stored_columns = scan.stored_columns,
                                      .one_each = scan.unique_on,
                                      .is_one_each = scan.unit_is_unique}});
    }
    if (!scan.hops.empty() || !scan.unit_column.empty()) {
      return Makers::OfTable(scan, block_.OrdersRows());
    }
    return Rows(RowsNode{RowScan{.alias = scan.alias,
                                 .table = scan.table,
                                 .stored_columns = scan.stored_columns,
                                 .told_apart = TellsRowsApart(block_),
                                 .prepared = scan.prepared}});
  }

  Result<PerPerson> Query(const std::string& alias, const analysis::UnitQuery& query) const {
    TACIT_TRY(Rows input, Source(query.inner.source));
    return Makers::OfQuery(alias, std::move(input), query.inner.filters, query,
                           Seen(query.inner.source), binder_);
  }

  Result<Rows> Values(const analysis::LiteralRows& literals) const {
    Literals made{.alias = literals.alias, .rows = {}, .columns = literals.types.size()};
    for (const std::vector<Expression>& row : literals.rows) {
      std::vector<Typed>& values = made.rows.emplace_back();
      for (size_t i = 0; i < row.size(); ++i) {
        TACIT_TRY(values.emplace_back(),
                  binder_.Type(
                      sql::MakeExpression(sql::Cast{row[i], literals.types[i]}, row[i]->position)));
      }
    }
    return Rows(RowsNode{std::move(made)});
  }

  // All that a query sees of the rows that it reads. What stands below a query or a union inside
  // each person is seen through its own columns only.
  std::vector<sql::ColumnReference> Seen(const analysis::RowSource& source) const {
    std::vector<sql::ColumnReference> columns;
    const auto add_numbered = [&](const std::string& alias, size_t count) {
      for (size_t i = 1; i <= count; ++i) columns.push_back({alias, "c" + std::to_string(i)});
    };
    if (const auto* scan = analysis::As<analysis::TableScan>(source)) {
      const auto used = used_.find(scan->alias);
      if (used == used_.end()) return columns;
      for (const std::string& column : used->second) columns.push_back({scan->alias, column});
    } else if (const auto* query = analysis::As<analysis::UnitQuery>(source)) {
      add_numbered(query->alias, query->items.size());
    } else if (const auto* united = analysis::As<analysis::RowUnion>(source)) {
      add_numbered(united->alias, united->parts.front().items.size());
    } else if (const auto* literals = analysis::As<analysis::LiteralRows>(source)) {
      add_numbered(literals->alias, literals->types.size());
    } else {
      const auto& join = *analysis::As<analysis::RowJoin>(source);
      columns = Seen(join.left);
      const std::vector<sql::ColumnReference> right = Seen(join.right);
      columns.insert(columns.end(), right.begin(), right.end());
    }
    return columns;
  }

  const Block& block_;
  const Binder& binder_;
  std::map<std::string, std::set<std::string>> used_;
};

}  // namespace

bool TellsRowsApart(const Block& block) {
  if (TACIT_MUTANT("row_unit_counts_rows")) return false;
  return !block.rows.unit && block.rows.rows_per_unit != 1;
}

Result<Rows> RowsOf(const Block& block, const Binder& binder) {
  return RowsBuilder(block, binder).Source(block.rows.source);
}

}  // namespace tacit::plan::tree
