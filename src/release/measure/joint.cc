#include "release/measure/joint.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace tacit::release {

View View::Whole(size_t cells) {
  View view{.cell_of = std::vector<uint16_t>(cells), .cells = cells};
  std::iota(view.cell_of.begin(), view.cell_of.end(), uint16_t{0});
  return view;
}

size_t CellsOf(const std::vector<Side>& sides) {
  size_t cells = 1;
  for (const Side& side : sides) cells *= side.view->cells;
  return cells;
}

std::vector<int64_t> CountCells(const Joint& joint, const std::vector<Side>& sides) {
  TACIT_ASSERT(!sides.empty());
  const size_t cells = CellsOf(sides);
  // What each value of a side adds to the number of the cell: nowhere is beyond the last of them,
  // whatever the other sides add, so that no row needs a branch.
  std::vector<std::vector<size_t>> adds;
  size_t stride = cells;
  for (const Side& side : sides) {
    stride /= std::max<size_t>(1, side.view->cells);
    std::vector<size_t>& of_side = adds.emplace_back();
    for (const uint16_t cell : side.view->cell_of) {
      of_side.push_back(cell == kNowhere ? cells : cell * stride);
    }
  }
  std::vector<int64_t> counts(cells + 1);
  const size_t rows = joint.weights.size();
  if (sides.size() == 2) {
    const uint16_t* const a = joint.codes[sides[0].column].data();
    const uint16_t* const b = joint.codes[sides[1].column].data();
    for (size_t row = 0; row < rows; ++row) {
      counts[std::min(cells, adds[0][a[row]] + adds[1][b[row]])] += joint.weights[row];
    }
  } else {
    for (size_t row = 0; row < rows; ++row) {
      size_t cell = 0;
      for (size_t s = 0; s < sides.size(); ++s) cell += adds[s][joint.codes[sides[s].column][row]];
      counts[std::min(cells, cell)] += joint.weights[row];
    }
  }
  counts.pop_back();
  return counts;
}

}  // namespace tacit::release
