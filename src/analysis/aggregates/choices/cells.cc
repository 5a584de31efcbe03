#include "analysis/aggregates/choices/cells.h"

namespace tacit::analysis {
namespace {

// Why 1024: a thousandth of the range is finer than the noise of most quantiles, and a list of so
// many counts for each group is still small.
constexpr Int128 kCellsMax = 1024;

}  // namespace

// proof: analysis/aggregates/choices/quantile.md#claim
void CutIntoCells(ExactMeasure& measure) {
  const Int128 points = measure.grid.high_steps - measure.grid.low_steps + 1;
  measure.cell_steps = (points + kCellsMax - 1) / kCellsMax;
}

}  // namespace tacit::analysis
