#pragma once

#include <vector>

#include "noise/full_cells.h"

namespace tacit::noise {

// The points of a grid, put into few layers by how far the ranks of their cells lie from a wished
// rank. A point's distance is that of its cell, in parts of a rank, above the smallest distance
// there is. The first layer holds the nearest points, each further one those of the next `step` of
// distance, and the last one all the rest: as many layers as the shape says, whatever the rows.
// proof: noise/quantile/proof.md#layers
class Layers {
 public:
  // What is public.
  struct Shape {
    uint64_t points = 1;       // of the grid
    uint64_t cell_points = 1;  // of a cell; the last one may have fewer
    Int128 parts = 1;          // of a rank
    uint64_t step = 1;
    size_t count = 1;  // layers behind the first one, without the rest
    uint64_t Cells() const { return (points - 1) / cell_points + 1; }
  };
  Layers(const FullCells& full, const Shape& shape, Int128 wished);

  size_t size() const { return ends_.size(); }
  // No point of the layer is nearer.
  uint64_t Nearest(size_t layer) const;
  // How many points it has.
  uint64_t Width(size_t layer) const;
  // The points of a layer are counted from 0: the cell of one of them.
  uint64_t CellOf(size_t layer, uint64_t point) const;
  // The distance of a cell, and of a rank that no cell need have.
  uint64_t DistanceOf(uint64_t cell) const;
  uint64_t DistanceOf(Int128 from_rank, Int128 to_rank) const;

 private:
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;  // not in it
  };
  Int128 Beside(Int128 from_rank, Int128 to_rank) const;
  Range Within(Int128 distance) const;

  const FullCells& full_;
  const Shape& shape_;
  Int128 wished_;
  Int128 smallest_ = 0;
  std::vector<Range> ends_;  // of all points up to the end of a layer
};

}  // namespace tacit::noise
