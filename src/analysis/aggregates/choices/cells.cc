#include "analysis/aggregates/choices/cells.h"

namespace tacit::analysis {
namespace {

// Why 2^21: most grids have no more points than that, or twice to ten times as many, and the cells
// of one group that hold rows take 32 MiB at most, however many rows there are.
constexpr Int128 kCellsMax = Int128{1} << 21;

}  // namespace

// proof: analysis/aggregates/choices/quantile.md#claim
void CutIntoCells(ExactMeasure& measure) {
  measure.cell_steps = (PointsOf(measure) + kCellsMax - 1) / kCellsMax;
}

}  // namespace tacit::analysis
