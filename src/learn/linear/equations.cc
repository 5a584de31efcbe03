#include "learn/linear/equations.h"

#include <algorithm>
#include <cmath>

namespace tacit::learn {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Equations EquationsOf(const Moments& moments, size_t target, const std::vector<size_t>& features) {
  Equations equations{
      .terms = {0}, .target = target + 1, .pairs = Pairs(moments.columns), .gram = {}, .cross = {}};
  for (const size_t feature : features) equations.terms.push_back(feature + 1);
  const auto size = equations.Size();
  equations.gram.resize(size, size);
  equations.cross.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const size_t term = equations.terms[static_cast<size_t>(i)];
    equations.cross(i) = moments.values[equations.pairs.At(term, equations.target)];
    for (Eigen::Index j = 0; j < size; ++j) {
      const size_t other = equations.terms[static_cast<size_t>(j)];
      equations.gram(i, j) = moments.values[equations.pairs.At(term, other)];
    }
  }
  return equations;
}

Spread SpreadOf(const Moments& moments, const Equations& equations) {
  const auto features = equations.Size() - 1;
  if (features == 0) return {.least = 1, .noise = 0};
  const double rows = equations.gram(0, 0);
  const VectorXd sums = equations.gram.col(0).tail(features);
  const MatrixXd spread =
      equations.gram.bottomRightCorner(features, features) - sums * sums.transpose() / rows;
  const auto variance = [&](size_t i, size_t j) {
    return moments.variances[equations.pairs.At(equations.terms[i], equations.terms[j])];
  };
  const auto mean = [&](size_t i) {
    return std::clamp(equations.gram(0, static_cast<Eigen::Index>(i)) / rows, -1.0, 1.0);
  };
  double most = 0;
  for (size_t i = 1; i < equations.terms.size(); ++i) {
    for (size_t j = i; j < equations.terms.size(); ++j) {
      const double a = mean(i);
      const double b = mean(j);
      most = std::max(most, variance(i, j) + b * b * variance(0, i) + a * a * variance(0, j) +
                                a * a * b * b * variance(0, 0));
    }
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(spread, Eigen::EigenvaluesOnly);
  return {.least = solver.eigenvalues()(0),
          .noise = 2 * std::sqrt(most * static_cast<double>(features))};
}

}  // namespace tacit::learn
