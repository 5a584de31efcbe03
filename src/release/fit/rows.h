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
  float weight = 1;
  std::vector<View> views = {};  // of the columns' cells; none: all of them whole
};

// What no row may be: a value of each of these sets, of different columns, at once.
struct Impossible {
  std::vector<size_t> columns;
  std::vector<std::vector<bool>> cells;  // by column: which are in the set
};

// What ImproveRows may not do.
struct RowRules {
  size_t fixed = 0;  // so many columns from the first on stay as they are
  std::vector<Impossible> impossible = {};
};

// Goes through all rows and columns and puts the value there that brings the rows' own tables
// nearest, in squares, to `pairs` (a symmetric matrix of shares over all cells; empty: none) and to
// the tables. Whole rows, so no rounding follows, and all tables of the rows agree with each other.
// `first` is where each column's cells begin among all cells, with their number at the end. Rows
// that are impossible become others; one that cannot is taken out.
void ImproveRows(const std::vector<size_t>& first, const Matrix& pairs,
                 const std::vector<TableTarget>& tables, const RowRules& rules, int sweeps,
                 Rows& rows, const Progress& progress);

// Pairs in the targets' order as what ImproveRows brings rows near to: one matrix where all pairs
// are there, and tables of `count` rows otherwise.
struct PairTargets {
  Matrix matrix;
  std::vector<TableTarget> tables;
};
PairTargets PairTargetsOf(const std::vector<Matrix>& pairs, const Targets& targets, size_t count);

// The rows' own pairs, as shares, in the targets' order.
std::vector<Matrix> PairsOf(const Rows& rows, const Targets& targets);

}  // namespace tacit::release
