#include "noise/cube/cube_error_estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

namespace tacit::noise {
namespace {

constexpr double kCubeMiss = 0.05;

// Why 16: beyond it the radius and its gamma law agree to less than a hundredth.
constexpr double kScaleSummedMax = 16;
// Why 50: what is left of the radii is then below e^-20 of them.
constexpr double kScalesSummed = 50;
// Why 64: of as many shapes as questions have columns, with parts of one number.
constexpr size_t kGammaLawsKept = 64;

// P(G > t) for the gamma law of a whole shape.
double GammaTail(size_t shape, double t) {
  double term = std::exp(-t);
  double sum = 0;
  for (size_t i = 0; i < shape; ++i) {
    sum += term;
    term *= t / static_cast<double>(i + 1);
  }
  return sum;
}

// Where a falling function of t >= 0 passes the value.
template <class Falling>
double WherePasses(double value, const Falling& falling) {
  double low = 0;
  double high = 1;
  while (falling(high) > value) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (falling(middle) > value ? low : high) = middle;
  }
  return high;
}

// In the middle of each of so many equally likely parts of a gamma law. Every plan asks for the
// same few, and searching takes longer than the rest of planning: they are kept.
std::vector<double> GammaMiddles(size_t shape, int parts) {
  static std::mutex mutex;
  static std::map<std::pair<size_t, int>, std::vector<double>> kept;
  {
    const std::lock_guard lock(mutex);
    if (const auto found = kept.find({shape, parts}); found != kept.end()) return found->second;
  }
  std::vector<double> middles;
  for (int i = 0; i < parts; ++i) {
    middles.push_back(
        WherePasses(1 - (i + 0.5) / parts, [&](double t) { return GammaTail(shape, t); }));
  }
  const std::lock_guard lock(mutex);
  if (kept.size() < kGammaLawsKept) kept.emplace(std::pair(shape, parts), middles);
  return middles;
}

}  // namespace

CubeEstimate::CubeEstimate(const CubeNoise& noise)
    : size_(noise.size()), scale_(noise.scale().get_d()) {
  if (scale_ > kScaleSummedMax) return;
  const double ratio = std::exp(-1 / scale_);
  const auto last = static_cast<size_t>(scale_ * (kScalesSummed + 2 * static_cast<double>(size_)));
  double power = 1;
  double total = 0;
  for (size_t k = 0; k <= last + size_; ++k) {
    double points = power;
    for (size_t i = 0; i < size_; ++i) {
      points *= 2 * static_cast<double>(k) + 1 / noise.width(i).get_d();
    }
    chances_.push_back(points);
    total += points;
    power *= ratio;
  }
  for (double& chance : chances_) chance /= total;
}

// P(|z| > m) of a number of this width, for m >= 0.
double CubeEstimate::Tail(double m, double width) const {
  double beyond = 0;
  for (size_t k = 1; k < chances_.size(); ++k) {
    const double values = 2 * static_cast<double>(k) * width + 1;
    beyond += chances_[k] * std::max(0.0, 1 - (2 * m + 1) / values);
  }
  return beyond;
}

Integer CubeEstimate::ErrorAt95(const Integer& width) const {
  const double w = width.get_d();
  if (chances_.empty()) {
    const auto d = static_cast<double>(size_);
    const double t = WherePasses(
        kCubeMiss, [&](double x) { return GammaTail(size_ + 1, x) - x / d * GammaTail(size_, x); });
    return Integer(std::ceil(t * scale_ * w - 0.5));
  }
  // Whole numbers of a double's precision: beyond it a step more or less is nothing.
  double low = -1;
  double high = static_cast<double>(chances_.size()) * w;
  while (high - low > std::max(1.0, high * 1e-9)) {
    const double middle = std::floor((low + high) / 2);
    (Tail(middle, w) > kCubeMiss ? low : high) = middle;
  }
  return Integer(high);
}

std::vector<double> CubeEstimate::Radii(int parts) const {
  std::vector<double> radii;
  if (chances_.empty()) {
    radii = GammaMiddles(size_ + 1, parts);
    for (double& radius : radii) radius *= scale_;
    return radii;
  }
  size_t k = 0;
  double up_to = chances_[0];
  for (int i = 0; i < parts; ++i) {
    const double share = (i + 0.5) / parts;
    while (up_to < share && k + 1 < chances_.size()) up_to += chances_[++k];
    radii.push_back(static_cast<double>(k));
  }
  return radii;
}

std::vector<Integer> CubeErrors(const CubeNoise& noise, size_t i, int parts) {
  const std::vector<double> radii = CubeEstimate(noise).Radii(parts);
  const double width = noise.width(i).get_d();
  // Every radius meets one part of the box, by multiples of the golden section: evenly spread, and
  // with the same size on both sides.
  constexpr double kGoldenSection = 0.6180339887498949;
  std::vector<Integer> errors(radii.size());
  for (size_t k = 0; k < radii.size(); ++k) {
    const double place = std::fmod(kGoldenSection * static_cast<double>(k) + 0.5, 1.0);
    errors[k] = Integer(std::round((2 * place - 1) * (radii[k] * width + 0.5)));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

}  // namespace tacit::noise
