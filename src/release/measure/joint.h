#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tacit::release {

// A row that counts nowhere in a view.
inline constexpr uint16_t kNowhere = 0xffff;

// What is public of a column: its cells, numbered from 0. The last one is NULL where it has one.
struct ColumnShape {
  size_t cells = 0;
  bool ordered = false;   // neighbouring cells are alike: they may be joined
  bool has_null = false;  // the last cell is NULL
  // Where conditions that are asked about begin: cells before and after it are not joined.
  std::vector<size_t> cuts = {};
};

// People's rows as numbers of cells, equal rows once, with how much they count. Exact: whoever has
// one is inside a mechanism.
struct Joint {
  std::vector<std::vector<uint16_t>> codes;  // by column
  std::vector<int64_t> weights;              // in parts of a row
  int64_t parts = 1;                         // that a row has; public
};

// A column with cells joined: cell_of[fine cell] is a cell of the view, or kNowhere.
struct View {
  std::vector<uint16_t> cell_of;
  size_t cells = 0;

  static View Whole(size_t cells);
};

// The columns of a table that is counted, each through its view.
struct Side {
  size_t column = 0;
  const View* view = nullptr;
};

// How often each combination of cells occurs; the last side's cell runs fastest.
std::vector<int64_t> CountCells(const Joint& joint, const std::vector<Side>& sides);
size_t CellsOf(const std::vector<Side>& sides);

}  // namespace tacit::release
