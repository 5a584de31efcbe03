#include "release/fit/targets.h"

#include <algorithm>
#include <cmath>

#include "release/fit/team.h"

namespace tacit::release {
namespace {

using Dense = Eigen::MatrixXd;

// Of the singular values that noise of this size has, so much is taken for noise.
constexpr double kNoiseEdge = 0.65;

Dense TableOf(const Measured::Pair& pair, const Measured& measured, double rows) {
  const auto height = static_cast<Eigen::Index>(measured.views[pair.a].cells);
  const auto width = static_cast<Eigen::Index>(measured.views[pair.b].cells);
  Dense table(height, width);
  for (Eigen::Index i = 0; i < height; ++i) {
    for (Eigen::Index j = 0; j < width; ++j) {
      table(i, j) = pair.table.counts[static_cast<size_t>(i * width + j)] / rows;
    }
  }
  return table;
}

// The means of what is known of one number, each weighed by its precision.
struct Mean {
  double sum = 0;
  double precision = 0;
  void Add(double value, double variance) {
    sum += value / variance;
    precision += 1 / variance;
  }
};

// Each column's shares: its own histogram and all row sums of its pairs, together.
void AgreeOnColumns(const Measured& measured, const std::vector<Dense>& tables, Targets& targets) {
  const double scale = 1 / (targets.rows * targets.rows);
  std::vector<std::vector<Mean>> means(measured.views.size());
  for (size_t c = 0; c < measured.views.size(); ++c) {
    const View& view = measured.views[c];
    const NoisyTable& histogram = measured.histograms[c];
    std::vector<double> sums(view.cells);
    std::vector<size_t> joined(view.cells);
    for (size_t i = 0; i < view.cell_of.size(); ++i) {
      if (view.cell_of[i] == kNowhere) continue;
      sums[view.cell_of[i]] += histogram.counts[i] / targets.rows;
      ++joined[view.cell_of[i]];
    }
    means[c].resize(view.cells);
    for (size_t i = 0; i < view.cells; ++i) {
      means[c][i].Add(sums[i], histogram.variance * scale * static_cast<double>(joined[i]));
    }
  }
  for (size_t p = 0; p < tables.size(); ++p) {
    const Measured::Pair& pair = measured.pairs[p];
    const double variance = pair.table.variance * scale;
    const Dense& table = tables[p];
    for (Eigen::Index i = 0; i < table.rows(); ++i) {
      means[pair.a][static_cast<size_t>(i)].Add(table.row(i).sum(),
                                                variance * static_cast<double>(table.cols()));
    }
    for (Eigen::Index j = 0; j < table.cols(); ++j) {
      means[pair.b][static_cast<size_t>(j)].Add(table.col(j).sum(),
                                                variance * static_cast<double>(table.rows()));
    }
  }
  for (const std::vector<Mean>& column : means) {
    std::vector<double> values;
    double variance = 0;
    for (const Mean& mean : column) {
      values.push_back(mean.sum / mean.precision);
      variance += 1 / mean.precision / static_cast<double>(column.size());
    }
    targets.ones.push_back(OntoSimplex(values));
    targets.one_variances.push_back(variance);
  }
}

// Turns a symmetric matrix by Jacobi's rotations until it is diagonal, and `vectors` with it: their
// columns are then its eigenvectors. Eigen's own solver takes a quarter of a minute to compile.
void Diagonalize(Dense& matrix, Dense& vectors) {
  const Eigen::Index size = matrix.rows();
  vectors = Dense::Identity(size, size);
  const double enough = 1e-24 * matrix.squaredNorm();
  for (int sweep = 0; sweep < 30; ++sweep) {
    double off = 0;
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index j = i + 1; j < size; ++j) {
        const double entry = matrix(i, j);
        off += entry * entry;
        if (entry * entry <= enough * 1e-6) continue;
        const double slope = (matrix(j, j) - matrix(i, i)) / (2 * entry);
        const double tangent = std::copysign(1 / (std::abs(slope) + std::hypot(1.0, slope)), slope);
        const double cosine = 1 / std::hypot(1.0, tangent);
        const double sine = tangent * cosine;
        const auto turn = [&](double& x, double& y) {
          const double before = x;
          x = cosine * before - sine * y;
          y = sine * before + cosine * y;
        };
        for (Eigen::Index k = 0; k < size; ++k) turn(matrix(k, i), matrix(k, j));
        for (Eigen::Index k = 0; k < size; ++k) turn(matrix(i, k), matrix(j, k));
        for (Eigen::Index k = 0; k < size; ++k) turn(vectors(k, i), vectors(k, j));
      }
    }
    if (off <= enough) return;
  }
}

// Why 256: rotations of larger matrices take minutes. Such pairs are fitted as they were measured.
constexpr Eigen::Index kDenoisedMax = 256;

// No share is below nothing, or above that of its row or its column.
Dense Possible(Dense shares, const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  for (Eigen::Index i = 0; i < shares.rows(); ++i) {
    for (Eigen::Index j = 0; j < shares.cols(); ++j) {
      shares(i, j) = std::clamp(shares(i, j), 0.0, std::min(a(i), b(j)));
    }
  }
  return shares;
}

// What two columns have to do with each other beyond their shares, without the singular values
// that noise alone would have.
Dense Denoised(const Dense& table, const Eigen::VectorXd& a, const Eigen::VectorXd& b,
               double sigma) {
  const Dense product = a.lazyProduct(b.transpose());
  Dense rest = table - product;
  rest.colwise() -= rest.rowwise().mean().eval();
  rest.rowwise() -= rest.colwise().mean().eval();
  const bool tall = rest.rows() > rest.cols();
  if (tall) rest.transposeInPlace();
  const double edge = kNoiseEdge * sigma *
                      (std::sqrt(static_cast<double>(table.rows() - 1)) +
                       std::sqrt(static_cast<double>(table.cols() - 1)));
  if (rest.rows() > kDenoisedMax) {
    if (tall) rest.transposeInPlace();
    return Possible(product + rest, a, b);
  }
  // Small matrices: the blocked products would take longer to compile than all else here.
  Dense square_of_rest = rest.lazyProduct(rest.transpose());
  Dense vectors;
  Diagonalize(square_of_rest, vectors);
  Eigen::VectorXd kept = square_of_rest.diagonal();
  for (Eigen::Index i = 0; i < kept.size(); ++i) {
    const double square = std::max(0.0, kept(i));
    kept(i) = square > edge * edge ? std::sqrt(1 - edge * edge / square) : 0;
  }
  const Dense turned = kept.asDiagonal() * Dense(vectors.transpose().lazyProduct(rest));
  Dense shrunk = vectors.lazyProduct(turned);
  if (tall) shrunk.transposeInPlace();
  return Possible(product + shrunk, a, b);
}

}  // namespace

Targets MakeTargets(const Measured& measured, size_t threads) {
  Targets targets;
  targets.rows = std::max(1.0, measured.rows);
  targets.first.push_back(0);
  for (const View& view : measured.views)
    targets.first.push_back(targets.first.back() + view.cells);
  std::vector<Dense> tables;
  for (const Measured::Pair& pair : measured.pairs) {
    tables.push_back(TableOf(pair, measured, targets.rows));
  }
  AgreeOnColumns(measured, tables, targets);
  targets.pairs.resize(tables.size());
  InParts(tables.size(), threads, [&](size_t p) {
    const Measured::Pair& pair = measured.pairs[p];
    const double variance = pair.table.variance / (targets.rows * targets.rows);
    const Eigen::Map<const Eigen::VectorXd> a(targets.ones[pair.a].data(), tables[p].rows());
    const Eigen::Map<const Eigen::VectorXd> b(targets.ones[pair.b].data(), tables[p].cols());
    targets.pairs[p] = {.a = pair.a,
                        .b = pair.b,
                        .clean = Denoised(tables[p], a, b, std::sqrt(variance)).cast<float>(),
                        .raw = tables[p].cast<float>(),
                        .variance = variance};
    tables[p].resize(0, 0);  // the largest of what is held twice
  });
  return targets;
}

std::vector<Matrix> BlocksOf(const Matrix& all, const Targets& targets) {
  std::vector<Matrix> blocks;
  for (const Targets::Pair& pair : targets.pairs) {
    blocks.push_back(all.block(static_cast<Eigen::Index>(targets.first[pair.a]),
                               static_cast<Eigen::Index>(targets.first[pair.b]), pair.raw.rows(),
                               pair.raw.cols()));
  }
  return blocks;
}

std::vector<Matrix> IndependentBlocks(const Targets& targets) {
  std::vector<Matrix> blocks;
  for (const Targets::Pair& pair : targets.pairs) {
    const Eigen::Map<const Eigen::VectorXd> a(targets.ones[pair.a].data(), pair.raw.rows());
    const Eigen::Map<const Eigen::VectorXd> b(targets.ones[pair.b].data(), pair.raw.cols());
    blocks.push_back(a.lazyProduct(b.transpose()).cast<float>());
  }
  return blocks;
}

double ChiSquarePerCell(const std::vector<Matrix>& pairs, const Targets& targets) {
  double sum = 0;
  double cells = 0;
  for (size_t p = 0; p < pairs.size(); ++p) {
    sum +=
        (pairs[p] - targets.pairs[p].raw).cast<double>().squaredNorm() / targets.pairs[p].variance;
    cells += static_cast<double>(pairs[p].size());
  }
  return cells > 0 ? sum / cells : 0;
}

}  // namespace tacit::release
