#include "attack/page/axis.h"

#include <algorithm>
#include <cmath>

namespace tacit::attack {

Scale::Scale(const Axis& axis, const std::vector<double>& values, double from, double to)
    : logarithmic_(axis.logarithmic), from_(from), to_(to) {
  bool any = false;
  const auto cover = [&](double value) {
    if (!std::isfinite(value) || (logarithmic_ && value <= 0)) return;
    low_ = any ? std::min(low_, value) : value;
    high_ = any ? std::max(high_, value) : value;
    any = true;
  };
  for (const double value : values) cover(value);
  // A scale of which the values would fill less than half is cut, from above.
  const bool fills = !axis.high || !any || logarithmic_ || high_ > *axis.high / 2;
  if (axis.low) cover(*axis.low);
  if (axis.high && fills) cover(*axis.high);
  if (!any) {
    low_ = logarithmic_ ? 1 : 0;
    high_ = 10;
  }
  if (low_ == high_) {
    low_ = logarithmic_ ? low_ / 2 : low_ - 1;
    high_ = logarithmic_ ? high_ * 2 : high_ + 1;
  }
  logarithmic_ ? LogarithmicTicks() : LinearTicks();
}

double Scale::Place(double value) const { return logarithmic_ ? std::log10(value) : value; }

bool Scale::Shows(double value) const {
  return std::isfinite(value) && (!logarithmic_ || value > 0);
}

double Scale::At(double value) const {
  const double share = (Place(value) - Place(low_)) / (Place(high_) - Place(low_));
  return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
}

void Scale::LinearTicks() {
  const double rough = (high_ - low_) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 2.5, 5.0}) {
    if (nice * power >= rough) {
      step = nice * power;
      break;
    }
  }
  low_ = std::floor(low_ / step + 1e-9) * step;
  high_ = std::ceil(high_ / step - 1e-9) * step;
  const int decimals = step >= 1 && step == std::round(step)
                           ? 0
                           : static_cast<int>(std::ceil(-std::log10(step) + 0.5));
  for (int i = 0; low_ + i * step <= high_ + step / 2; ++i) {
    const double value = low_ + i * step;
    ticks_.push_back({value, Shown(value, std::max(decimals, 0))});
  }
}

void Scale::LogarithmicTicks() {
  const double decades = std::log10(high_ / low_);
  for (double power = std::floor(std::log10(low_)); power <= std::log10(high_) + 1e-9; ++power) {
    for (const int digit : {1, 2, 5}) {
      if (digit != 1 && decades > 2.5) continue;
      const double value = digit * std::pow(10, power);
      if (value < low_ * 0.999 || value > high_ * 1.001) continue;
      const int decimals = power >= 0 ? 0 : static_cast<int>(-power);
      ticks_.push_back({value, Shown(value, decimals)});
    }
  }
}

}  // namespace tacit::attack
