#include "noise/quantile/layers.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace tacit::noise {
namespace {

// Distances beyond it are not told apart.
constexpr Int128 kDistanceMax = std::numeric_limits<int64_t>::max();

}  // namespace

Layers::Layers(const FullCells& full, const Shape& shape, Int128 wished)
    : full_(full), shape_(shape), wished_(wished) {
  TACIT_ASSERT(shape.points > 0 && shape.cell_points > 0 && shape.step > 0);
  TACIT_ASSERT(full.size() == 0 || full.CellAt(full.size() - 1) < shape.Cells());
  // All ranks there are: some cell holds the nearest of them.
  smallest_ = Beside(0, full.rows());
  ends_.reserve(shape.count + 2);
  for (size_t k = 0; k <= shape.count; ++k) {
    ends_.push_back(Within(smallest_ + static_cast<Int128>(k) * shape.step));
  }
  ends_.push_back({.begin = 0, .end = shape.points});
}

// How far the wished rank lies from the ranks between two numbers of rows.
Int128 Layers::Beside(Int128 from_rank, Int128 to_rank) const {
  const Int128 distance =
      std::max({Int128{0}, shape_.parts * from_rank - wished_, wished_ - shape_.parts * to_rank});
  return std::min(distance, kDistanceMax);
}

// The points of cells that lie no further: from the first cell up to which there are enough rows to
// the last one before which there are not too many.
// proof: noise/quantile/proof.md#layers
Layers::Range Layers::Within(Int128 distance) const {
  Range range{.begin = 0, .end = shape_.points};
  if (distance >= kDistanceMax) return range;
  const Int128 least = wished_ - distance;
  if (least > 0) {
    const size_t first = full_.FirstAbove((least - 1) / shape_.parts);
    TACIT_ASSERT(first < full_.size());
    range.begin = full_.CellAt(first) * shape_.cell_points;
  }
  const Int128 most = wished_ + distance;
  TACIT_ASSERT(most >= 0);
  const size_t last = full_.FirstAbove(most / shape_.parts);
  if (last < full_.size()) {
    const uint64_t cell = full_.CellAt(last);
    if (cell + 1 < shape_.Cells()) range.end = (cell + 1) * shape_.cell_points;
  }
  return range;
}

uint64_t Layers::Nearest(size_t layer) const {
  if (layer == 0) return 0;
  const Int128 nearest = static_cast<Int128>(layer - 1) * shape_.step + 1;
  return static_cast<uint64_t>(std::min(nearest, kDistanceMax));
}

uint64_t Layers::Width(size_t layer) const {
  const Range& outer = ends_[layer];
  const uint64_t points = outer.end - outer.begin;
  return layer == 0 ? points : points - (ends_[layer - 1].end - ends_[layer - 1].begin);
}

uint64_t Layers::CellOf(size_t layer, uint64_t point) const {
  const Range& outer = ends_[layer];
  uint64_t place = outer.begin + point;
  // Those of the layers before it lie in the middle.
  if (layer > 0 && place >= ends_[layer - 1].begin) {
    place += ends_[layer - 1].end - ends_[layer - 1].begin;
  }
  return place / shape_.cell_points;
}

uint64_t Layers::DistanceOf(uint64_t cell) const {
  const size_t before = full_.Before(cell);
  const Int128 below = before == 0 ? Int128{0} : Int128{full_.UpTo(before - 1)};
  const bool is_full = before < full_.size() && full_.CellAt(before) == cell;
  return DistanceOf(below, is_full ? Int128{full_.UpTo(before)} : below);
}

uint64_t Layers::DistanceOf(Int128 from_rank, Int128 to_rank) const {
  return static_cast<uint64_t>(Beside(from_rank, to_rank) - smallest_);
}

}  // namespace tacit::noise
