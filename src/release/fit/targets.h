#pragma once

#include <Eigen/Core>

#include "release/measure/pairs.h"

namespace tacit::release {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A table of some columns as a model shall have it: shares of rows, each column through a view of
// the model's own cells, the last running fastest. A condition is a view of one cell.
struct FitTable {
  std::vector<size_t> columns;
  std::vector<View> views;
  std::vector<float> shares;
  double variance = 0;  // of a share, about

  size_t ways() const { return columns.size(); }
};

// Why 4,000: a fit holds some matrices over all pairs of cells, which then take 64 MB each.
inline constexpr size_t kDenseCellsMax = 4000;

// What is to be fitted: shares of rows, by column and by measured pair. Everything in it is
// released. The cells of the columns' views stand side by side: those of column c begin at
// first[c].
struct Targets {
  struct Pair {
    size_t a = 0;
    size_t b = 0;         // after a
    Matrix clean;         // without what cannot be told from noise
    Matrix raw;           // as measured
    double variance = 0;  // of a share
  };
  std::vector<size_t> first;  // one more at the end: all cells
  std::vector<std::vector<double>> ones;
  std::vector<double> one_variances;  // of a share, about
  std::vector<Pair> pairs;
  double rows = 1;

  size_t columns() const { return ones.size(); }
  size_t cells() const { return first.back(); }
  size_t CellsOf(size_t column) const { return first[column + 1] - first[column]; }
  // Every pair of columns was measured, and a matrix over all cells has room.
  bool IsDense() const {
    return 2 * pairs.size() == columns() * (columns() - 1) && cells() <= kDenseCellsMax;
  }
  View WholeView(size_t column) const { return View::Whole(CellsOf(column)); }
};

// Makes what was measured agree, and takes out of each pair what cannot be told from noise.
// The same for any number of threads.
Targets MakeTargets(const Measured& measured, size_t threads = 1);

// The pairs of a symmetric matrix over all cells, and of independent columns, in the targets'
// order.
std::vector<Matrix> BlocksOf(const Matrix& all, const Targets& targets);
std::vector<Matrix> IndependentBlocks(const Targets& targets);

// How far pairs, in the targets' order, are from what was measured, in variances of the noise, per
// cell: about 1 for the truth, less for what follows the noise.
double ChiSquarePerCell(const std::vector<Matrix>& pairs, const Targets& targets);

}  // namespace tacit::release
