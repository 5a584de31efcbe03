#include "accounting/pld/inversion/inversion.h"

#include <algorithm>
#include <cmath>

#include "accounting/pld/losses/event_losses.h"

namespace tacit::accounting::pld {
namespace {

// e^-22 of the tilted losses may lie outside the window on each side.
constexpr double kWindowLog = 22;
// Frequencies at which the characteristic function is below e^-30 are left out.
constexpr double kFrequencyLog = 30;
// Work beyond this many evaluations (20 ns each) is left to the grid.
constexpr double kWorkMax = 1e7;
constexpr double kFrequenciesMax = 20000;
constexpr int kHalvings = 44;

// The largest exponent of the Chernoff bounds, in units of 1 / deviation: best for a normal sum.
const double kExponent = std::sqrt(2 * kWindowLog);

}  // namespace

std::optional<Inversion> Inversion::Make(const Prepared& prepared, Direction direction,
                                         const Saddle& saddle) {
  Inversion inversion;
  const double deviation = std::max(saddle.deviation, 1e-6);
  inversion.tilt_ = std::max(saddle.tilt, 0.5 / deviation);
  SampledMoments::Range range{.tilt_min = inversion.tilt_ - kExponent / deviation,
                              .tilt_max = inversion.tilt_ + kExponent / deviation,
                              .frequency_max = 0};
  if (!inversion.MakeParts(prepared, direction, range)) return std::nullopt;
  if (!inversion.ChooseWindow(deviation)) return std::nullopt;
  const std::optional<double> frequency_max = inversion.ChooseFrequencyMax(deviation);
  if (!frequency_max) return std::nullopt;
  range = {inversion.tilt_, inversion.tilt_, *frequency_max};
  if (!inversion.MakeParts(prepared, direction, range)) return std::nullopt;
  double points = 0;
  for (const Part& part : inversion.parts_) points += static_cast<double>(part.moments.points());
  if (points * *frequency_max * inversion.period_ / (2 * M_PI) > kWorkMax) return std::nullopt;
  inversion.Transform(*frequency_max);
  return inversion;
}

bool Inversion::MakeParts(const Prepared& prepared, Direction direction,
                          const SampledMoments::Range& range) {
  parts_.clear();
  gaussian_ = 0;
  for (const Term& term : prepared.terms) {
    if (const auto* gaussian = std::get_if<GaussianEvent>(&term.event)) {
      const double sigma = gaussian->sigma.get_d();
      gaussian_ += static_cast<double>(term.count) / (sigma * sigma);
      continue;
    }
    const auto* sampled = std::get_if<SubsampledGaussianEvent>(&term.event);
    if (sampled == nullptr) return false;
    parts_.push_back(
        {SampledMoments(sampled->sigma.get_d(), sampled->rate.get_d(), direction, range),
         static_cast<double>(term.count)});
    if (!parts_.back().moments.usable()) return false;
    parts_.back().moments.SetTilt(tilt_);
  }
  cumulant_ = Cumulant(tilt_);
  return std::isfinite(cumulant_.value) && cumulant_.error < 1e-3;
}

Bounded Inversion::Cumulant(double tilt) const {
  const double gaussian = tilt * (tilt + 1) / 2 * gaussian_;
  Bounded total{gaussian, 16 * kUnit * std::abs(gaussian)};
  for (const Part& part : parts_) {
    const Bounded one = part.moments.LogMoment(tilt);
    total.value += part.count * one.value;
    total.error += part.count * (one.error + 4 * kUnit * std::abs(one.value));
  }
  total.error += 4 * kUnit * std::abs(total.value);
  return total;
}

// proof: accounting/pld/inversion/inversion.md#claim
bool Inversion::ChooseWindow(double deviation) {
  low_ = -INFINITY;
  high_ = INFINITY;
  double error = 0;
  // Sampled losses have a long upper tail, for which the best exponent is small.
  for (const double factor : {0.1, 0.2, 0.4, 0.7, 1.0}) {
    const double r = factor * kExponent / deviation;
    const Bounded up = Cumulant(tilt_ + r);
    const Bounded down = Cumulant(tilt_ - r);
    if (!std::isfinite(up.value) || !std::isfinite(down.value)) continue;
    high_ = std::min(high_, (up.value - cumulant_.value + kWindowLog) / r);
    low_ = std::max(low_, -(down.value - cumulant_.value + kWindowLog) / r);
    error = std::max({error, up.error, down.error});
  }
  if (!std::isfinite(high_) || !std::isfinite(low_) || high_ <= low_) return false;
  period_ = high_ - low_ + kWindowLog / tilt_;
  alias_ = 4 * std::exp(-kWindowLog + error + cumulant_.error);
  return std::isfinite(alias_);
}

// proof: accounting/pld/inversion/inversion.md#claim
std::optional<double> Inversion::ChooseFrequencyMax(double deviation) {
  double frequency = 4 / deviation;
  while (frequency * period_ < kFrequenciesMax * 2 * M_PI) {
    double decay = 0.999 * frequency * frequency * gaussian_ / 2;
    for (const Part& part : parts_) decay += part.count * part.moments.DecayDown(frequency);
    if (decay >= kFrequencyLog) return frequency;
    frequency *= 1.25;
  }
  return std::nullopt;
}

// The characteristic function of all releases together, and how far off it may be.
Inversion::Product Inversion::ProductAt(double omega) const {
  Product product;
  product.log_size = -omega * omega * gaussian_ / 2;
  product.phase = std::remainder(omega * (tilt_ + 0.5) * gaussian_, 2 * M_PI);
  double spread = 64 * kUnit * (1 + omega * (omega + tilt_ + 1) * gaussian_);
  double exact_log = product.log_size + spread;  // what the exact size's is at most
  for (const Part& part : parts_) {
    const SampledMoments::Phase at = part.moments.At(omega);
    const double size = std::max(std::hypot(at.real, at.imaginary), 1e-300);
    const double relative = at.error / size + 8 * kUnit;
    product.log_size += part.count * std::log(size);
    product.phase += std::remainder(part.count * std::atan2(at.imaginary, at.real), 2 * M_PI);
    spread += part.count * relative;
    exact_log += part.count * std::log(size * (1 + relative));
  }
  // |(z + e)^k - z^k| <= |z|^k ((1 + |e/z|)^k - 1), or both sizes where that says nothing.
  product.error = spread < 1 ? std::exp(product.log_size) * std::expm1(spread)
                             : std::exp(product.log_size) + std::exp(exact_log);
  return product;
}

void Inversion::Transform(double frequency_max) {
  const auto last = static_cast<int64_t>(std::ceil(frequency_max * period_ / (2 * M_PI)));
  for (int64_t n = 0; n <= last; ++n) {
    const double omega = 2 * M_PI * static_cast<double>(n) / period_;
    // At zero the function is one exactly.
    const Product product = n == 0 ? Product{} : ProductAt(omega);
    // 1 / ((t + iw)(t + 1 + iw)) is the transform of e^(-t y) - e^(-(t + 1) y) over y > 0.
    const double real = tilt_ * (tilt_ + 1) - omega * omega;
    const double imaginary = omega * (2 * tilt_ + 1);
    const double weight = (n == 0 ? 1 : 2) / (period_ * std::hypot(real, imaginary));
    const double size = weight * std::exp(product.log_size);
    const double phase = product.phase - std::atan2(imaginary, real);
    frequencies_.push_back({omega, size * std::cos(phase), size * std::sin(phase), size});
    frequency_error_ += 1.01 * weight * product.error;
  }
  // The rest: below e^-30 each, with weights 2 / (period w^2).
  frequency_error_ +=
      std::exp(-kFrequencyLog) * period_ / (M_PI * M_PI * static_cast<double>(last));
}

// proof: accounting/pld/inversion/inversion.md#claim
Bracket Inversion::Delta(double epsilon) const {
  double sum = 0;
  double error = frequency_error_;
  for (const Frequency& f : frequencies_) {
    const double angle = f.omega * epsilon;
    sum += f.real * std::cos(angle) + f.imaginary * std::sin(angle);
    error += f.size * kUnit * (64 + 4 * angle);
  }
  const double exponent = cumulant_.value - tilt_ * epsilon;
  const double relative =
      cumulant_.error + 8 * kUnit * (1 + std::abs(cumulant_.value) + tilt_ * epsilon);
  const double upper = std::exp(exponent + relative) * std::max(0.0, sum + error);
  const bool inside = low_ <= epsilon && epsilon <= high_;
  const double least = inside ? std::max(0.0, sum - error - alias_) : 0;
  return {std::min(1.0, std::exp(exponent - relative) * least), std::min(1.0, upper)};
}

// proof: accounting/pld/inversion/inversion.md#claim
Bracket Inversion::Epsilon(double delta_down, double delta_up) const {
  const auto upper_holds = [&](double epsilon) { return Delta(epsilon).upper <= delta_down; };
  const auto lower_holds = [&](double epsilon) { return Delta(epsilon).lower > delta_up; };
  Bracket bracket;
  // Every end that is kept has been checked, whatever the shape of the bounds in between.
  if (!upper_holds(0)) {
    double below = 0;
    bracket.upper = std::max(high_, 1e-3);
    while (!upper_holds(bracket.upper)) bracket.upper *= 2;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (below + bracket.upper) / 2;
      (upper_holds(middle) ? bracket.upper : below) = middle;
    }
  }
  const double start = std::max(0.0, low_);
  if (!lower_holds(start)) return bracket;
  bracket.lower = start;
  double above = bracket.upper;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (bracket.lower + above) / 2;
    (lower_holds(middle) ? bracket.lower : above) = middle;
  }
  return bracket;
}

}  // namespace tacit::accounting::pld
