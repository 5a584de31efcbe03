#include "noise/error_estimate.h"

#include <cmath>

namespace tacit::noise {
namespace {

constexpr double kMiss = 0.05;

// Why 64: beyond it the discrete tail and the continuous one agree to a thousandth of a step.
constexpr double kSigmaSummedMax = 64;

}  // namespace

Integer LaplaceErrorAt95(const Rational& scale) {
  // P(|X| > m) = 2 q^(m+1) / (1 + q), q = e^(-1/scale).
  const double t = scale.get_d();
  const double steps = -t * std::log(kMiss / 2 * (1 + std::exp(-1 / t))) - 1;
  // A hair of slack, so that a tail of exactly 5 % does not become one step more by rounding.
  return steps <= 0 ? Integer(0) : Integer(std::ceil(steps * (1 - 1e-12)));
}

Integer GaussianErrorAt95(const Rational& sigma_squared) {
  const double variance = sigma_squared.get_d();
  const double sigma = std::sqrt(variance);
  constexpr double kNormal975 = 1.959963984540054;
  if (sigma > kSigmaSummedMax) return Integer(std::ceil(kNormal975 * sigma - 0.5));
  double total = 1;
  const int last = static_cast<int>(std::ceil(sigma * 12)) + 2;
  for (int x = 1; x <= last; ++x) total += 2 * std::exp(-x * x / (2 * variance));
  double inside = 1;
  int m = 0;
  while (total - inside > kMiss * total) {
    ++m;
    inside += 2 * std::exp(-m * m / (2 * variance));
  }
  return m;
}

Integer ExponentialChoiceErrorAt95(const Rational& rate, const Integer& candidates) {
  return Integer(std::ceil(std::log(candidates.get_d() / kMiss) / rate.get_d()));
}

}  // namespace tacit::noise
