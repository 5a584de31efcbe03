#include "local/estimate/estimate.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tacit::local {
namespace {

// The probabilities of support as doubles.
struct Support {
  double held, other;
  double Gap() const { return held - other; }
};

Support SupportAsDoubles(const Design& design) {
  const SupportProbabilities exact = SupportOf(design);
  return {exact.held.get_d(), exact.other.get_d()};
}

ConfidenceInterval Clamped(double low, double high) {
  return {std::clamp(low, 0.0, 1.0), std::clamp(high, 0.0, 1.0)};
}

// Why estimates that no frequency has count as the nearest that one has: two deviations below zero,
// the interval would be the point zero, which says more than anybody knows. It only grows by this.

// All f with |estimate - f| <= z sd(f), where the variance a + b f is linear in f.
ConfidenceInterval ScoreInterval(double unbiased, double a, double b) {
  const double estimate = std::clamp(unbiased, 0.0, 1.0);
  const double z2 = kNormal95 * kNormal95;
  const double middle = estimate + z2 * b / 2;
  const double half = std::sqrt(std::max(0.0, z2 * (a + b * estimate) + z2 * z2 * b * b / 4));
  return Clamped(middle - half, middle + half);
}

// Wilson's interval of the share of supporting reports, carried over to frequencies.
ConfidenceInterval WilsonInterval(double supporting, double n, const Support& support) {
  const double share = std::clamp(supporting, support.other, support.held);
  const double z2 = kNormal95 * kNormal95;
  const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half =
      kNormal95 * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  const auto frequency = [&](double s) { return (s - support.other) / support.Gap(); };
  return Clamped(frequency(middle - half), frequency(middle + half));
}

}  // namespace

double NoiseVariance(const Design& design, double frequency) {
  const Support s = SupportAsDoubles(design);
  const double held = s.held * (1 - s.held);
  const double other = s.other * (1 - s.other);
  return (frequency * held + (1 - frequency) * other) / (s.Gap() * s.Gap());
}

double SampledVariance(const Design& design, double frequency) {
  return NoiseVariance(design, frequency) + frequency * (1 - frequency);
}

std::vector<double> ProjectOntoSimplex(std::span<const double> point) {
  std::vector<double> sorted(point.begin(), point.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  // The largest entries stay, lowered by one common amount; the rest become zero.
  double sum = 0;
  double lowered = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double amount = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] - amount <= 0) break;
    lowered = amount;
  }
  std::vector<double> projected;
  for (const double x : point) projected.push_back(std::max(0.0, x - lowered));
  return projected;
}

std::vector<Frequency> EstimateFrequencies(const Tally& tally) {
  const Design& design = tally.design();
  std::vector<Frequency> frequencies(design.values, {.answered = {0, 1}, .population = {0, 1}});
  if (tally.people() == 0) return frequencies;

  const Support s = SupportAsDoubles(design);
  const double n = static_cast<double>(tally.people());
  const double at_zero = NoiseVariance(design, 0) / n;
  const double slope = NoiseVariance(design, 1) / n - at_zero;
  const std::vector<uint64_t> support = tally.Support();
  std::vector<double> estimates;
  for (size_t v = 0; v < frequencies.size(); ++v) {
    const double share = static_cast<double>(support[v]) / n;
    const double estimate = (share - s.other) / s.Gap();
    estimates.push_back(estimate);
    frequencies[v].estimate = estimate;
    frequencies[v].answered = ScoreInterval(estimate, at_zero, slope);
    frequencies[v].population = WilsonInterval(share, n, s);
  }
  std::vector<double> projected = estimates;
  if (IsExclusive(design.mechanism)) {
    projected = ProjectOntoSimplex(estimates);
  } else {
    for (double& x : projected) x = std::clamp(x, 0.0, 1.0);
  }
  for (size_t v = 0; v < frequencies.size(); ++v) {
    frequencies[v].projected = projected[v];
    frequencies[v].error = std::sqrt(NoiseVariance(design, projected[v]) / n);
  }
  return frequencies;
}

}  // namespace tacit::local
