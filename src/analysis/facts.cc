#include "analysis/facts.h"

#include <algorithm>

#include "base/assert.h"

namespace tacit::analysis {

bool SameMeasure(const ExactMeasure& a, const ExactMeasure& b) {
  return a.kind == b.kind && a.argument == b.argument && a.filter == b.filter &&
         a.grid.step == b.grid.step && a.grid.low_steps == b.grid.low_steps &&
         a.grid.high_steps == b.grid.high_steps && a.centre == b.centre &&
         a.quantile == b.quantile && a.cell_steps == b.cell_steps && a.extreme == b.extreme &&
         a.part == b.part && a.factor == b.factor && a.factor_grid.step == b.factor_grid.step &&
         a.factor_grid.low_steps == b.factor_grid.low_steps &&
         a.factor_grid.high_steps == b.factor_grid.high_steps && a.factor_centre == b.factor_centre;
}

bool AddsUp(const Block& block, const ReleasedColumn& column) {
  bool adds_up = true;
  ForEachMeasure(column, [&](const size_t& index) {
    const MeasureKind kind = block.measures[index].kind;
    adds_up = adds_up && (kind == MeasureKind::kRows || kind == MeasureKind::kValues ||
                          kind == MeasureKind::kSum || kind == MeasureKind::kSumOfSquares ||
                          kind == MeasureKind::kSumOfProducts);
  });
  return adds_up;
}

bool Block::HasPrivateKeys() const {
  return std::any_of(keys.begin(), keys.end(), [](const Key& key) { return !key.IsPublic(); });
}

std::vector<size_t> Block::ShownKeys() const {
  if (totals) return totals->keys;
  std::vector<size_t> all(keys.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

bool Block::HasGroupCaps() const {
  return group_cap || std::any_of(measures.begin(), measures.end(),
                                  [](const ExactMeasure& each) { return each.cap.has_value(); });
}

bool Block::OrdersRows() const {
  return HasGroupCaps() ||
         std::any_of(measures.begin(), measures.end(),
                     [](const ExactMeasure& each) { return each.own_sum.has_value(); });
}

const RowColumn& Block::ColumnOf(const sql::ColumnReference& reference) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const auto& entry) { return entry.first == reference; });
  TACIT_ASSERT(found != columns.end());
  return found->second;
}

}  // namespace tacit::analysis
