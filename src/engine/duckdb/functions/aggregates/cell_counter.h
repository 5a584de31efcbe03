#pragma once

#include <cstdint>
#include <vector>

#include "engine/duckdb/database/api.h"
#include "noise/full_cells.h"

namespace tacit::engine::duckdb {

// How many rows are in each cell, of the cells that hold any. The memory grows with those and not
// with the rows, and the work of a row does not depend on its cell.
class CellCounter {
 public:
  // Why 2^22: two digits of eleven bits, and twice as many cells as a measure has
  // (analysis/aggregates/choices/cells.cc).
  static constexpr int64_t kCellsMax = int64_t{1} << 22;

  void Add(int64_t cell);  // one outside counts in the nearest that there is
  void Add(const CellCounter& other);

  // In rising order.
  const std::vector<noise::FullCells::Cell>& Counted();

 private:
  void Fold();

  std::vector<uint32_t> fresh_;                  // a cell for each row, in any order
  std::vector<noise::FullCells::Cell> counted_;  // of all rows before those
};

// tacit_full_cells of own_functions.h, for all connections of the connection's database.
bool RegisterFullCells(duckdb_connection connection);

}  // namespace tacit::engine::duckdb
