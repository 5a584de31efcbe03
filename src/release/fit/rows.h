#pragma once

#include "release/fit/mixture.h"

namespace tacit::release {

// Rows of cells of the views, by column.
using Rows = std::vector<std::vector<uint16_t>>;

// What a row counts in everything that was measured, by its cell of one column: rows of people who
// have many count for less than one. Without weights every row counts as one.
struct Weighing {
  size_t column = 0;
  std::vector<float> weights = {};  // by cell of the column's view; each above 0, at most 1

  bool IsOn() const { return !weights.empty(); }
  float Of(const Rows& rows, size_t r) const { return IsOn() ? weights[rows[column][r]] : 1; }
  // What all rows count together.
  double Total(const Rows& rows) const;
  // These shares of the column's cells as shares of rows as they are, each for its own; and how
  // many rows there are to what they count.
  std::vector<double> OfRows(const std::vector<double>& shares) const;
  double RowsPerCount(const std::vector<double>& shares) const;
};

// So many rows of a mixture: as many of each kind, give or take one, by what they count.
Rows DrawRows(const Mixture& mixture, const Targets& targets, const Weighing& weighing,
              size_t count, Entropy& entropy);
// The same with independent columns.
Rows DrawIndependent(const Targets& targets, const Weighing& weighing, size_t count,
                     Entropy& entropy);

// So many places in these masses, at equal distances along them, in random order.
std::vector<size_t> DrawEvenly(const std::vector<double>& masses, size_t count, Entropy& entropy);

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
  size_t fixed = 0;        // so many columns from the first on stay as they are
  Weighing weighing = {};  // and the one that weighs rows
  std::vector<Impossible> impossible = {};
};

// Goes through all rows and columns and puts the value there that brings the rows' own tables
// nearest, in squares, to `pairs` (a symmetric matrix of shares over all cells; empty: none) and to
// the tables. Whole rows, so no rounding follows, and all tables of the rows agree with each other.
// `first` is where each column's cells begin among all cells, with their number at the end. Rows
// that are impossible become others; those that cannot are taken out, and named.
std::vector<size_t> ImproveRows(const std::vector<size_t>& first, const Matrix& pairs,
                                const std::vector<TableTarget>& tables, const RowRules& rules,
                                int sweeps, Rows& rows, const Progress& progress);

// Pairs in the targets' order as what ImproveRows brings rows near to: one matrix where all pairs
// are there, and tables of `total` rows otherwise.
struct PairTargets {
  Matrix matrix;
  std::vector<TableTarget> tables;
};
PairTargets PairTargetsOf(const std::vector<Matrix>& pairs, const Targets& targets, double total);

// The rows' own pairs, as shares of what they count, in the targets' order.
std::vector<Matrix> PairsOf(const Rows& rows, const Targets& targets,
                            const Weighing& weighing = {});

}  // namespace tacit::release
