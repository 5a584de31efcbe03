#include "plan/price/sensitivity.h"

#include <map>
#include <set>

#include "sql/walk.h"

namespace tacit::plan {
namespace {

// The largest magnitude of a summand on its grid; at least one step, so that noise has a scale.
Integer LargestOn(const policy::Grid& grid, Int128 centre) {
  const Integer low = ToInteger(grid.low_steps) - ToInteger(centre);
  const Integer high = ToInteger(grid.high_steps) - ToInteger(centre);
  const Integer largest = abs(low) < abs(high) ? abs(high) : abs(low);
  return largest < 1 ? Integer(1) : largest;
}

Integer LargestSummand(const analysis::ExactMeasure& measure) {
  return LargestOn(measure.grid, measure.centre);
}

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

// How many keys the rows of one unit can have: a key is made of one row of each scan that it names.
// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
Integer KeysPerUnit(const analysis::Block& block) {
  const Integer& all = block.rows.rows_per_unit;
  std::map<std::string, Integer> rows;
  AddRowsByScan(block.rows.source, &rows);
  std::set<std::string> named;
  for (const analysis::Key& key : block.keys) {
    if (sql::HasSubquery(key.expression)) return all;
    for (const sql::ColumnReference& column : sql::ColumnsIn(key.expression)) {
      named.insert(column.table);
    }
  }
  Integer most = 1;
  for (const std::string& alias : named) {
    const auto found = rows.find(alias);
    if (found == rows.end()) return all;
    most *= found->second;
  }
  return most < all ? most : all;
}

}  // namespace

// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
Integer UnitsMoved(const policy::Privacy& privacy) {
  const int factor = privacy.neighbours == policy::Neighbours::kReplaceOne ? 2 : 1;
  return Integer(privacy.protects) * factor;
}

// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
Integer GroupsPerUnit(const analysis::Block& block) {
  const Integer keys = KeysPerUnit(block);
  return block.group_cap && block.group_cap->groups < keys ? block.group_cap->groups : keys;
}

RowsPerUnit RowsPerUnitOf(const analysis::Block& block) {
  Integer rows = block.rows.rows_per_unit;
  if (!block.group_cap) return {.all = rows, .squares_by_group = rows * rows};
  const analysis::GroupCap& cap = *block.group_cap;
  if (cap.groups * cap.rows < rows) rows = cap.groups * cap.rows;
  const Integer full = rows / cap.rows;
  const Integer rest = rows - full * cap.rows;
  return {.all = rows, .squares_by_group = full * cap.rows * cap.rows + rest * rest};
}

// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
Sensitivity SensitivityOf(const analysis::ExactMeasure& measure, const analysis::Block& block,
                          const policy::Privacy& privacy) {
  const Integer moved = UnitsMoved(privacy);
  const RowsPerUnit rows = RowsPerUnitOf(block);
  TACIT_ASSERT(rows.all >= 1 && moved >= 1);
  // Every row adds at most `most` to one group.
  const auto by_rows = [&](const Integer& most) {
    const Integer each = moved * most;
    // All rows of a unit may be in one total, in however many groups they are.
    const Integer squares = block.totals ? Integer(rows.all * rows.all) : rows.squares_by_group;
    return Sensitivity{.l1 = rows.all * each, .l2_squared = squares * each * each};
  };
  switch (measure.kind) {
    case analysis::MeasureKind::kUnits: {
      const Integer groups = GroupsPerUnit(block);
      return {.l1 = groups * moved, .l2_squared = groups * moved * moved};
    }
    case analysis::MeasureKind::kQuantile:  // rows changed
    case analysis::MeasureKind::kMode:
    case analysis::MeasureKind::kDistinct:
    case analysis::MeasureKind::kRows:
    case analysis::MeasureKind::kValues:
      return by_rows(1);
    case analysis::MeasureKind::kSum:
      return by_rows(LargestSummand(measure));
    case analysis::MeasureKind::kSumOfSquares: {
      const Integer largest = LargestSummand(measure);
      return by_rows(largest * largest);
    }
    case analysis::MeasureKind::kSumOfProducts: {
      const Integer factor = LargestOn(measure.factor_grid, measure.factor_centre);
      return by_rows(LargestSummand(measure) * factor);
    }
  }
  TACIT_ASSERT(false);
  return {};
}

}  // namespace tacit::plan
