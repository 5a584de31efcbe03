#pragma once

#include <optional>

#include "learn/moments.h"

namespace tacit::learn {

// How far the noise lets anything be said. A function of what was released and of public numbers.
enum class Trust {
  kFull,    // coefficients, their errors and intervals
  kRidge,   // coefficients drawn towards zero, which have no honest interval
  kNothing  // the number of rows cannot be told from its noise
};

// A line through rows: target = coefficients[0] + sum of coefficients[1 + i] * features[i], in the
// columns' own units.
struct LinearFit {
  Trust trust = Trust::kNothing;
  double rows = 0;   // as released
  double ridge = 0;  // what was added to every feature's sum of squares, in rows; 0 under kFull
  std::vector<double> coefficients;  // the constant first; none under kNothing
  // Under kFull, covariances of the coefficients: of the noise, and of drawing the rows from a
  // population in which the line's errors have the same spread everywhere.
  std::vector<std::vector<double>> noise;
  std::vector<std::vector<double>> sampling;
  double residual_variance = 0;  // of the target around the line; under kFull
  std::optional<double> r_squared;
};

// Least squares, from what was released alone. `target` and `features` are indices of columns, all
// different. linear.md says how, and what the intervals cover.
LinearFit FitLinear(const Moments& moments, size_t target, const std::vector<size_t>& features);

// Of a coefficient under kFull.
double NoiseError(const LinearFit& fit, size_t i);
double SamplingError(const LinearFit& fit, size_t i);
// In 95 % of such fits the population's coefficient is within so much of the estimate.
double MarginOf(const LinearFit& fit, size_t i);

inline constexpr double kNormalAt95 = 1.959964;

}  // namespace tacit::learn
