#include "learn/linear/linear.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "learn/linear/equations.h"

namespace tacit::learn {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Why 3: below it one can hardly say that there are rows at all.
constexpr double kRowsOverNoise = 3;
// Why 2: the smallest eigenvalue is then so far above the noise of its matrix that inverting it is
// nearly linear in the noise, which is what the stated errors take it for (linear.md).
constexpr double kEigenvalueOverNoise = 2;

// By what each released number moves the equations at this solution: cross - gram * solution.
MatrixXd MovedBy(const Equations& equations, const VectorXd& solution) {
  const auto size = equations.Size();
  MatrixXd moved = MatrixXd::Zero(size, static_cast<Eigen::Index>(equations.pairs.asked().size()));
  for (Eigen::Index i = 0; i < size; ++i) {
    const size_t term = equations.terms[static_cast<size_t>(i)];
    const auto place = [&](size_t other) {
      return static_cast<Eigen::Index>(equations.pairs.At(term, other));
    };
    moved(i, place(equations.target)) += 1;
    for (Eigen::Index j = 0; j < size; ++j) {
      moved(i, place(equations.terms[static_cast<size_t>(j)])) -= solution(j);
    }
  }
  return moved;
}

// The sum of the squared errors of the line, and the deviation of the noise in it.
struct Residuals {
  double sum = 0;
  double noise = 0;
};

Residuals ResidualsOf(const Moments& moments, const Equations& equations,
                      const VectorXd& solution) {
  const size_t own = equations.pairs.At(equations.target, equations.target);
  Residuals residuals{.sum = moments.values[own] - 2 * solution.dot(equations.cross) +
                             solution.dot(equations.gram * solution),
                      .noise = 0};
  // Derivatives by the released numbers.
  std::vector<double> by(moments.values.size(), 0.0);
  by[own] += 1;
  for (size_t i = 0; i < equations.terms.size(); ++i) {
    const double a = solution(static_cast<Eigen::Index>(i));
    by[equations.pairs.At(equations.terms[i], equations.target)] -= 2 * a;
    for (size_t j = 0; j < equations.terms.size(); ++j) {
      by[equations.pairs.At(equations.terms[i], equations.terms[j])] +=
          a * solution(static_cast<Eigen::Index>(j));
    }
  }
  for (size_t k = 0; k < by.size(); ++k) residuals.noise += by[k] * by[k] * moments.variances[k];
  residuals.noise = std::sqrt(residuals.noise);
  return residuals;
}

// From coefficients of terms to those of columns: the matrix, and what is added.
struct Units {
  MatrixXd matrix;
  VectorXd shift;
};

Units UnitsOf(const Moments& moments, const Equations& equations) {
  const auto size = equations.Size();
  const Column& target = moments.columns[equations.target - 1];
  Units units{.matrix = MatrixXd::Zero(size, size), .shift = VectorXd::Zero(size)};
  units.matrix(0, 0) = target.Half();
  units.shift(0) = target.Middle();
  for (Eigen::Index i = 1; i < size; ++i) {
    const Column& column = moments.columns[equations.terms[static_cast<size_t>(i)] - 1];
    units.matrix(i, i) = target.Half() / column.Half();
    units.matrix(0, i) = -units.matrix(i, i) * column.Middle();
  }
  return units;
}

std::vector<std::vector<double>> RowsOfMatrix(const MatrixXd& matrix) {
  std::vector<std::vector<double>> rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    rows.emplace_back();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) rows.back().push_back(matrix(i, j));
  }
  return rows;
}

double Deviation(const std::vector<std::vector<double>>& covariance, size_t i) {
  return std::sqrt(std::max(covariance[i][i], 0.0));
}

}  // namespace

// proof: learn/linear/linear.md#the-fit
LinearFit FitLinear(const Moments& moments, size_t target, const std::vector<size_t>& features) {
  TACIT_ASSERT(target < moments.columns.size());
  TACIT_ASSERT(moments.values.size() == Pairs(moments.columns).asked().size());
  Equations equations = EquationsOf(moments, target, features);
  const auto size = equations.Size();
  const double rows = equations.gram(0, 0);
  LinearFit fit{
      .rows = rows, .coefficients = {}, .noise = {}, .sampling = {}, .r_squared = std::nullopt};
  const double least_rows = kRowsOverNoise * std::sqrt(moments.variances[0]);
  if (rows <= std::max(least_rows, static_cast<double>(size) + 1)) return fit;

  const Spread spread = SpreadOf(moments, equations);
  fit.trust = Trust::kFull;
  const double needed = std::max(kEigenvalueOverNoise * spread.noise, 1e-9 * rows);
  if (spread.least < needed) {
    fit.trust = Trust::kRidge;
    fit.ridge = needed - spread.least;
    equations.gram.diagonal().tail(size - 1).array() += fit.ridge;
  }
  const Eigen::LDLT<MatrixXd> solver(equations.gram);
  const VectorXd solution = solver.solve(equations.cross);
  const Units units = UnitsOf(moments, equations);
  const VectorXd coefficients = units.matrix * solution + units.shift;
  fit.coefficients.assign(coefficients.data(), coefficients.data() + size);
  if (fit.trust != Trust::kFull) return fit;

  const MatrixXd inverse = solver.solve(MatrixXd::Identity(size, size));
  const MatrixXd moved = units.matrix * inverse * MovedBy(equations, solution);
  const Eigen::Map<const VectorXd> variances(moments.variances.data(),
                                             static_cast<Eigen::Index>(moments.variances.size()));
  fit.noise = RowsOfMatrix(moved * variances.asDiagonal() * moved.transpose());
  const Residuals residuals = ResidualsOf(moments, equations, solution);
  // Noise can take more away than there is: what it can hide is then the most that is known.
  const double left = std::max(residuals.sum, residuals.noise);
  const double variance = left / (rows - static_cast<double>(size));
  fit.sampling = RowsOfMatrix(units.matrix * inverse * units.matrix.transpose() * variance);
  const double half = moments.columns[target].Half();
  fit.residual_variance = variance * half * half;
  const double all = moments.values[equations.pairs.At(equations.target, equations.target)] -
                     equations.cross(0) * equations.cross(0) / rows;
  if (all > 0) fit.r_squared = std::clamp(1 - left / all, 0.0, 1.0);
  return fit;
}

double NoiseError(const LinearFit& fit, size_t i) { return Deviation(fit.noise, i); }
double SamplingError(const LinearFit& fit, size_t i) { return Deviation(fit.sampling, i); }
double MarginOf(const LinearFit& fit, size_t i) {
  return kNormalAt95 * std::hypot(NoiseError(fit, i), SamplingError(fit, i));
}

}  // namespace tacit::learn
