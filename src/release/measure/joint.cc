#include "release/measure/joint.h"

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
  std::vector<int64_t> counts(CellsOf(sides));
  for (size_t row = 0; row < joint.weights.size(); ++row) {
    size_t cell = 0;
    bool counts_somewhere = true;
    for (const Side& side : sides) {
      const uint16_t code = side.view->cell_of[joint.codes[side.column][row]];
      counts_somewhere = counts_somewhere && code != kNowhere;
      cell = cell * side.view->cells + code;
    }
    if (counts_somewhere) counts[cell] += joint.weights[row];
  }
  return counts;
}

}  // namespace tacit::release
