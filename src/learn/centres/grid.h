#pragma once

#include <cstdint>
#include <vector>

#include "learn/centres/places.h"

// A public grid over the rows' columns, which is made coarser where its noisy counts say little.
namespace tacit::learn {

// Every column is halved up to four times, in turn, until there are 1,024 cells. Where there are
// more than ten columns, ten public planes through the middle of all take their place.
class CentreGrid {
 public:
  explicit CentreGrid(const std::vector<CellColumn>& features);
  size_t cells() const { return size_t{1} << halvings_.size(); }
  size_t CellOf(const RowPlaces& places, const uint16_t* codes) const;

  // A part of the grid that is taken as one.
  struct Leaf {
    size_t first = 0;  // of its cells, which stand side by side
    size_t cells = 0;
    Place middle;
    Place half;  // of its width, by feature
    double rows = 0;
  };
  // Parts are halved while both halves together hold more than noise of this deviation shows.
  std::vector<Leaf> LeavesOf(const std::vector<double>& counts, double deviation) const;

 private:
  struct Halving {
    size_t feature = 0;
    size_t level = 0;            // 0: the whole range
    std::vector<int64_t> signs;  // of a plane; else empty
  };
  std::vector<Halving> halvings_;
  size_t features_;
};

// Rows that were found at a place, about.
struct PlacedRows {
  std::vector<double> at;
  double rows = 0;
};

// Centres of them: each new one where it helps most, and then all are moved to the middles of what
// is nearest to them. A function of its arguments, without any chance.
std::vector<std::vector<double>> CentresOf(const std::vector<PlacedRows>& rows, size_t centres,
                                           size_t features);

}  // namespace tacit::learn
