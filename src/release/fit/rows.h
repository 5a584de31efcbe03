#pragma once

#include "release/fit/mixture.h"

namespace tacit::release {

// Rows of cells of the views, by column.
using Rows = std::vector<std::vector<uint16_t>>;

// So many rows of a mixture: as many of each kind, give or take one.
Rows DrawRows(const Mixture& mixture, const Targets& targets, size_t count, Entropy& entropy);
// The same with independent columns.
Rows DrawIndependent(const Targets& targets, size_t count, Entropy& entropy);

// A table of any columns that the rows should have, in rows; the last column runs fastest.
struct TableTarget {
  std::vector<size_t> columns;
  std::vector<float> rows;
};

// Goes through all rows and columns and puts the value there that brings the rows' own tables
// nearest, in squares, to `pairs` (shares; empty: none) and to the tables. Whole rows, so no
// rounding follows, and all tables of the rows agree with each other. `first` is where each
// column's cells begin among all cells, with their number at the end.
void ImproveRows(const std::vector<size_t>& first, const Matrix& pairs,
                 const std::vector<TableTarget>& tables, int sweeps, Rows& rows,
                 const Progress& progress);

// The rows' own pairs, as shares.
Matrix PairsOf(const Rows& rows, const Targets& targets);

}  // namespace tacit::release
