#include "accounting/pld/inversion/moments.h"

#include <algorithm>
#include <cmath>

#include "accounting/pld/losses/event_losses.h"

namespace tacit::accounting::pld {
namespace {

// Sums differ from integrals by twice e^-42 of them: a 10^9-fold release by less than 10^-9.
constexpr double kCutLog = 42;
const double kCut = 2 * std::exp(-kCutLog);
// A release with more points than this is left to the grid.
constexpr double kPointsMax = 20000;
// Beyond this exponent the likelihood ratio is the shifted noise's alone.
constexpr double kExponentMax = 500;

}  // namespace

SampledMoments::SampledMoments(double sigma, double rate, Direction direction, const Range& range)
    : sigma_(sigma), rate_(rate), remove_(direction == Direction::kRemove) {
  const double ends[2] = {PowerOf(range.tilt_min), PowerOf(range.tilt_max)};
  const double positive = std::max({0.0, ends[0], ends[1]});
  const double negative = std::max({0.0, -ends[0], -ends[1]});
  ChooseStep(range, negative);
  const double reach = std::sqrt(2 * (kCutLog - negative * std::log1p(-rate_)));
  const double low = -reach;
  const double high = std::max(positive, 0.5) / sigma_ + reach + 1;
  if ((high - low) / step_ > kPointsMax) {
    usable_ = false;
    return;
  }
  const auto count = static_cast<size_t>((high - low) / step_) + 2;
  points_.reserve(count);
  for (size_t i = 0; i < count; ++i)
    points_.push_back(PointAt(low + static_cast<double>(i) * step_));
}

// Remove: E_P e^(s loss) is the mean of w^(s + 1) over the noise alone. Add: of w^-s.
double SampledMoments::PowerOf(double tilt) const { return remove_ ? tilt + 1 : -tilt; }

double SampledMoments::ExponentOf(double z) const { return z / sigma_ - 0.5 / (sigma_ * sigma_); }

SampledMoments::Point SampledMoments::PointAt(double z) const {
  const double r = ExponentOf(z);
  // What rounds r: z, sigma and the difference, each relative to its own size.
  const double r_error = 8 * kUnit * (std::abs(z) / sigma_ + 0.5 / (sigma_ * sigma_));
  if (r > kExponentMax) {
    const double log = r + std::log(rate_);
    return {z, log, r_error + 4 * kUnit * (std::abs(r) + std::abs(log))};
  }
  const double more = rate_ * std::expm1(r);  // w - 1
  const double log = std::log1p(more);
  const double slope = rate_ * std::exp(r) / (1 + more);
  return {z, log,
          8 * kUnit * std::abs(more) / (1 + more) + slope * r_error + 4 * kUnit * std::abs(log)};
}

// The widest step whose error stays below the cut, over the half-width b of the strip.
// proof: accounting/pld/inversion/inversion.md#claim
void SampledMoments::ChooseStep(const Range& range, double negative) {
  for (int i = 1; i <= 40; ++i) {
    const double angle = 0.9 * M_PI * i / 40;
    const double b = angle * sigma_;
    const double growth =
        b * b / 2 + range.frequency_max * angle - negative * std::log(std::cos(angle / 2));
    step_ = std::max(step_, 2 * M_PI * b / (kCutLog + 1 + growth));
  }
}

// A bound of what the points left out would add to the sum.
// proof: accounting/pld/inversion/inversion.md#claim
double SampledMoments::CutTails(double power) const {
  const double low = -points_.front().z;
  const double high = points_.back().z;
  if (power < 0) return std::exp(power * std::log1p(-rate_)) * (NormalTail(low) + NormalTail(high));
  const double shift = power / sigma_;
  const double ratio_log = points_.back().log - ExponentOf(high);
  const double right =
      std::exp(power * ratio_log + shift * (shift - 1 / sigma_) / 2) * NormalTail(high - shift);
  return 1.01 * (NormalTail(low) + right);
}

SampledMoments::Sum SampledMoments::SumFor(double power) const {
  Sum sum;
  sum.top = -INFINITY;
  sum.weights.reserve(points_.size());
  for (const Point& p : points_) {
    sum.weights.push_back(-p.z * p.z / 2 + power * p.log);
    sum.top = std::max(sum.top, sum.weights.back());
  }
  long double total = 0;
  double error = 0;
  for (size_t i = 0; i < points_.size(); ++i) {
    const Point& p = points_[i];
    const double exponent = sum.weights[i];
    sum.weights[i] = std::exp(exponent - sum.top);
    total += sum.weights[i];
    error += sum.weights[i] *
             (kUnit * (8 + 8 * p.z * p.z + 4 * std::abs(power * p.log) + 2 * std::abs(sum.top)) +
              std::abs(power) * p.error);
  }
  sum.total = static_cast<double>(total);
  const double integral = sum.total * step_ / std::sqrt(2 * M_PI) * std::exp(sum.top);
  sum.relative = 1.01 * error / sum.total + kCut + CutTails(power) / integral;
  return sum;
}

Bounded SampledMoments::LogMoment(double tilt) const {
  const Sum sum = SumFor(PowerOf(tilt));
  const double value = std::log(sum.total * (step_ / std::sqrt(2 * M_PI))) + sum.top;
  return {value, 1.01 * sum.relative + 8 * kUnit * (1 + std::abs(sum.top))};
}

void SampledMoments::SetTilt(double tilt) {
  power_ = PowerOf(tilt);
  sum_ = SumFor(power_);
  log_moment_ = LogMoment(tilt).value;
  mean_error_ = 0;
  for (size_t i = 0; i < points_.size(); ++i) {
    mean_error_ += sum_.weights[i] * (points_[i].error + 2 * kUnit * std::abs(points_[i].log));
  }
  mean_error_ *= 1.01 / sum_.total;
}

SampledMoments::Phase SampledMoments::At(double frequency) const {
  long double real = 0;
  long double imaginary = 0;
  for (size_t i = 0; i < points_.size(); ++i) {
    const double angle = frequency * points_[i].log;
    real += sum_.weights[i] * std::cos(angle);
    imaginary += sum_.weights[i] * std::sin(angle);
  }
  const double sign = remove_ ? 1 : -1;
  // Twice, for numerator and denominator.
  const double error = 2.02 * sum_.relative + frequency * mean_error_ + 16 * kUnit;
  return {static_cast<double>(real / sum_.total),
          sign * static_cast<double>(imaginary / sum_.total), error};
}

// Between two points the weighted loss has a density of at least c: the part of it that is uniform
// there, of mass m, turns the unit vector by a sine quotient; the rest cannot exceed its mass.
// proof: accounting/pld/inversion/inversion.md#claim
double SampledMoments::DecayDown(double frequency) const {
  constexpr int kGrid = 32;
  struct End {
    double log, density, power;
  };
  std::vector<End> ends;
  const double low = -4;
  const double high = 4 + std::max(0.0, power_) / sigma_;
  for (int i = 0; i <= kGrid; ++i) {
    const Point p = PointAt(low + (high - low) * i / kGrid);
    ends.push_back({p.log, -p.z * p.z / 2 - ExponentOf(p.z), (power_ + 1) * p.log});
  }
  const double constant = std::log(sigma_ / (rate_ * std::sqrt(2 * M_PI))) - log_moment_;
  double best = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    for (size_t j = i + 1; j < ends.size(); ++j) {
      const double width = ends[j].log - ends[i].log;
      // Both factors of the density have their minimum at an end of the interval.
      const double least = std::min(ends[i].density, ends[j].density) +
                           std::min(ends[i].power, ends[j].power) + constant;
      const double mass = std::min(1.0, width * std::exp(least));
      const double half_turn = std::min(frequency * width / 2, M_PI_2);
      if (half_turn <= 0) continue;
      // 1 - sin(y)/y >= y^2/6 - y^4/120, without cancellation.
      const double y2 = half_turn * half_turn;
      best = std::max(best, mass * (y2 / 6 - y2 * y2 / 120));
    }
  }
  return 0.999 * best;
}

}  // namespace tacit::accounting::pld
