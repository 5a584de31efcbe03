#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/numbers/int128.h"

namespace tacit::noise {

// How many rows are in each cell of a grid, of the cells that hold any: a grid may have millions of
// cells, and most of them are empty. Copies share what they hold.
class FullCells {
 public:
  struct Cell {
    uint64_t cell = 0;
    uint64_t rows = 0;
    bool operator==(const Cell&) const = default;
  };

  FullCells() : cells_(None()) {}
  // Nothing where a cell is not above the one before it, or holds no row.
  static std::optional<FullCells> Of(std::vector<Cell> rising) {
    uint64_t rows = 0;
    for (size_t i = 0; i < rising.size(); ++i) {
      if (rising[i].rows == 0 || (i > 0 && rising[i].cell <= rising[i - 1].cell)) {
        return std::nullopt;
      }
      rows = rising[i].rows += rows;
    }
    return FullCells(std::move(rising));
  }

  size_t size() const { return cells_->size(); }
  uint64_t rows() const { return cells_->empty() ? 0 : cells_->back().rows; }
  // The i-th full cell, and the rows in it and in all before it.
  uint64_t CellAt(size_t i) const { return (*cells_)[i].cell; }
  uint64_t UpTo(size_t i) const { return (*cells_)[i].rows; }
  uint64_t RowsAt(size_t i) const { return UpTo(i) - (i == 0 ? 0 : UpTo(i - 1)); }

  // How many full cells lie before the given one.
  size_t Before(uint64_t cell) const {
    return static_cast<size_t>(
        std::partition_point(cells_->begin(), cells_->end(),
                             [cell](const Cell& full) { return full.cell < cell; }) -
        cells_->begin());
  }
  // The first full cell up to which there are more than `rows` rows; size() where there is none.
  size_t FirstAbove(Int128 rows) const {
    return static_cast<size_t>(
        std::partition_point(cells_->begin(), cells_->end(),
                             [rows](const Cell& full) { return full.rows <= rows; }) -
        cells_->begin());
  }

  bool operator==(const FullCells& other) const { return *cells_ == *other.cells_; }

 private:
  explicit FullCells(std::vector<Cell> counted)
      : cells_(std::make_shared<const std::vector<Cell>>(std::move(counted))) {}

  // One for all, because there may be a million groups without rows.
  static const std::shared_ptr<const std::vector<Cell>>& None() {
    static const auto none = std::make_shared<const std::vector<Cell>>();
    return none;
  }

  std::shared_ptr<const std::vector<Cell>> cells_;  // rows: in it and in all before it
};

}  // namespace tacit::noise
