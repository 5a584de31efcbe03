#pragma once

#include <Eigen/Core>

#include "release/measure/pairs.h"

namespace tacit::release {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// What is to be fitted: shares of rows, by column and by pair, as blocks of one symmetric matrix
// over all cells of all views. Everything in it is released.
struct Targets {
  std::vector<size_t> first;  // of each column's cells; one more at the end: all cells
  std::vector<std::vector<double>> ones;
  std::vector<double> one_variances;  // of a share, about
  Matrix pairs;                       // denoised; blocks on the diagonal are zero
  Matrix raw;                         // as measured
  Eigen::MatrixXd pair_variances;     // of a share in each block, columns x columns
  double rows = 1;

  size_t columns() const { return ones.size(); }
  size_t cells() const { return first.back(); }
  size_t CellsOf(size_t column) const { return first[column + 1] - first[column]; }
};

// Makes what was measured agree, and takes out of each pair what cannot be told from noise.
Targets MakeTargets(const Measured& measured);

// How far shares are from what was measured, in variances of the noise, per cell: about 1 for the
// truth, less for what follows the noise.
double ChiSquarePerCell(const Matrix& shares, const Targets& targets);

}  // namespace tacit::release
