#include "noise/error_estimate.h"

#include <algorithm>
#include <cmath>

namespace tacit::noise {
namespace {

constexpr double kMiss = 0.05;

// Why 64: beyond it the discrete tail and the continuous one agree to a thousandth of a step.
constexpr double kSigmaSummedMax = 64;

}  // namespace

Integer LaplaceErrorAt95(const Rational& scale) { return LaplaceErrorOfParts(scale, 1); }

Integer LaplaceErrorOfParts(const Rational& scale, size_t parts) {
  const double miss = kMiss / static_cast<double>(parts);
  // P(|X| > m) = 2 q^(m+1) / (1 + q), q = e^(-1/scale).
  const double t = scale.get_d();
  const double steps = -t * std::log(miss / 2 * (1 + std::exp(-1 / t))) - 1;
  // A hair of slack, so that a tail of exactly that chance does not become one step more by
  // rounding.
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

namespace {

// Noise is symmetric: the upper half of the parts says it all. `above` gives the smallest whole x
// with P(X > x) <= tail, for a tail of at most a half.
template <class Above>
std::vector<Integer> SymmetricErrors(int parts, const Above& above) {
  std::vector<Integer> errors(static_cast<size_t>(parts));
  for (int i = 0; i < parts; ++i) {
    const int upper = std::max(i, parts - 1 - i);
    const double tail = (parts - upper - 0.5) / parts;
    const Integer error = above(tail);
    errors[static_cast<size_t>(i)] = i == upper ? error : Integer(-error);
  }
  return errors;
}

double NormalTail(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

}  // namespace

std::vector<Integer> LaplaceErrors(const Rational& scale, int parts) {
  // P(X > x) = q^(x+1) / (1 + q), q = e^(-1/scale).
  const double t = scale.get_d();
  return SymmetricErrors(parts, [t](double tail) {
    const double steps = -t * std::log(tail * (1 + std::exp(-1 / t))) - 1;
    return steps <= 0 ? Integer(0) : Integer(std::ceil(steps * (1 - 1e-12)));
  });
}

std::vector<Integer> GaussianErrors(const Rational& sigma_squared, int parts) {
  const double variance = sigma_squared.get_d();
  const double sigma = std::sqrt(variance);
  if (sigma > kSigmaSummedMax) {
    return SymmetricErrors(parts, [sigma](double tail) {
      double low = 0;
      double high = 40;
      for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (NormalTail(middle) > tail ? low : high) = middle;
      }
      return Integer(std::round(high * sigma));
    });
  }
  std::vector<double> weights = {1};
  double total = 1;
  const int last = static_cast<int>(std::ceil(sigma * 12)) + 2;
  for (int x = 1; x <= last; ++x) {
    weights.push_back(std::exp(-x * x / (2 * variance)));
    total += 2 * weights.back();
  }
  return SymmetricErrors(parts, [&](double tail) {
    double above = (total - 1) / 2;
    int x = 0;
    while (above > tail * total && x < last) above -= weights[static_cast<size_t>(++x)];
    return Integer(x);
  });
}

Integer ExponentialChoiceErrorAt95(const Rational& rate, const Integer& candidates) {
  return Integer(std::ceil(std::log(candidates.get_d() / kMiss) / rate.get_d()));
}

}  // namespace tacit::noise
