#include "learn/summary.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace tacit::learn {
namespace {

// Why 3: below it one can hardly say that there are rows at all.
constexpr double kKnownRows = 3;

// Its deviation, from its derivatives by the released numbers.
double DeviationBy(const Moments& moments, const std::vector<double>& by) {
  double variance = 0;
  for (size_t k = 0; k < by.size(); ++k) variance += by[k] * by[k] * moments.variances[k];
  return std::sqrt(variance);
}

// Of terms, not yet in the columns' units.
Estimate TermCovariance(const Moments& moments, const Pairs& pairs, size_t i, size_t j) {
  const auto value = [&](size_t a, size_t b) { return moments.values[pairs.At(a, b)]; };
  const double rows = value(0, 0);
  const double product = value(i, j) / rows;
  const double mean_i = value(0, i) / rows;
  const double mean_j = value(0, j) / rows;
  std::vector<double> by(moments.values.size(), 0.0);
  by[pairs.At(i, j)] += 1 / rows;
  by[pairs.At(0, i)] -= mean_j / rows;
  by[pairs.At(0, j)] -= mean_i / rows;
  by[pairs.At(0, 0)] += (2 * mean_i * mean_j - product) / rows;
  return {.value = product - mean_i * mean_j, .noise = DeviationBy(moments, by)};
}

}  // namespace

Estimate RowsOf(const Moments& moments) {
  return {.value = moments.values[0], .noise = std::sqrt(moments.variances[0])};
}

bool HasRows(const Moments& moments) {
  const Estimate rows = RowsOf(moments);
  return rows.value > std::max(kKnownRows * rows.noise, 1.0);
}

Estimate MeanOf(const Moments& moments, size_t column) {
  const Pairs pairs(moments.columns);
  const Column& of = moments.columns[column];
  const double rows = moments.values[0];
  const double mean = moments.values[pairs.At(0, column + 1)] / rows;
  std::vector<double> by(moments.values.size(), 0.0);
  by[pairs.At(0, column + 1)] += 1 / rows;
  by[0] -= mean / rows;
  return {.value = of.Middle() + of.Half() * std::clamp(mean, -1.0, 1.0),
          .noise = of.Half() * DeviationBy(moments, by)};
}

Estimate CovarianceOf(const Moments& moments, size_t a, size_t b) {
  const double unit = moments.columns[a].Half() * moments.columns[b].Half();
  const Estimate terms = TermCovariance(moments, Pairs(moments.columns), a + 1, b + 1);
  const double value = std::clamp(terms.value, a == b ? 0.0 : -1.0, 1.0);
  return {.value = value * unit, .noise = terms.noise * unit};
}

std::vector<Component> ComponentsOf(const Moments& moments) {
  const Pairs pairs(moments.columns);
  const auto size = static_cast<Eigen::Index>(moments.columns.size());
  Eigen::MatrixXd covariance(size, size);
  double most = 0;
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      const Estimate terms =
          TermCovariance(moments, pairs, static_cast<size_t>(i) + 1, static_cast<size_t>(j) + 1);
      covariance(i, j) = terms.value;
      most = std::max(most, terms.noise);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  // About the largest eigenvalue of noise alone (linear/linear.md).
  const double noise = 2 * most * std::sqrt(static_cast<double>(size));
  const double all = solver.eigenvalues().cwiseMax(0.0).sum();
  std::vector<Component> components;
  for (Eigen::Index k = size - 1; k >= 0; --k) {  // they come in rising order
    Eigen::VectorXd weights = solver.eigenvectors().col(k);
    Eigen::Index largest = 0;
    weights.cwiseAbs().maxCoeff(&largest);
    if (weights(largest) < 0) weights = -weights;
    const double variance = std::max(solver.eigenvalues()(k), 0.0);
    components.push_back({.variance = variance,
                          .share = all > 0 ? variance / all : 0,
                          .above_noise = variance > noise,
                          .weights = {weights.data(), weights.data() + size}});
  }
  return components;
}

}  // namespace tacit::learn
