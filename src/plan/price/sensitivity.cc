#include "plan/price/sensitivity.h"

#include "plan/price/keys_per_unit.h"

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

}  // namespace

// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
Integer UnitsMoved(const policy::Privacy& privacy) {
  const int factor = privacy.neighbours == policy::Neighbours::kReplaceOne ? 2 : 1;
  return Integer(privacy.protects) * factor;
}

// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
Integer GroupsPerUnit(const analysis::Block& block, const MaybeCap& cap) {
  const Integer keys = KeysPerUnit(block);
  return cap && cap->groups < keys ? cap->groups : keys;
}

// proof: plan/price/group_cap.md#claim
RowsPerUnit RowsPerUnitOf(const analysis::Block& block, const MaybeCap& cap) {
  Integer rows = block.rows.rows_per_unit;
  if (!cap) return {.all = rows, .squares_by_group = rows * rows};
  const Integer most = GroupsPerUnit(block, cap) * cap->rows;
  if (most < rows) rows = most;
  const Integer full = rows / cap->rows;
  const Integer rest = rows - full * cap->rows;
  return {.all = rows, .squares_by_group = full * cap->rows * cap->rows + rest * rest};
}

// proof: plan/price/sensitivity.md#sensitivity-of-a-measure
Sensitivity SensitivityOf(const analysis::ExactMeasure& measure, const analysis::Block& block,
                          const policy::Privacy& privacy) {
  const Integer moved = UnitsMoved(privacy);
  const RowsPerUnit rows = RowsPerUnitOf(block, measure.cap);
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
      const Integer groups = GroupsPerUnit(block, measure.cap);
      return {.l1 = groups * moved, .l2_squared = groups * moved * moved};
    }
    case analysis::MeasureKind::kQuantile:  // rows changed
    case analysis::MeasureKind::kMode:
    case analysis::MeasureKind::kDistinct:
    case analysis::MeasureKind::kRows:
    case analysis::MeasureKind::kValues:
      return by_rows(1);
    case analysis::MeasureKind::kSum: {
      if (!measure.own_sum) return by_rows(LargestSummand(measure));
      const Integer most = *measure.own_sum * moved;
      return {.l1 = most, .l2_squared = most * most};
    }
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
