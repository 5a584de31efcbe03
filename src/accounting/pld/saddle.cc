#include "accounting/pld/saddle.h"

#include <algorithm>
#include <cmath>

namespace tacit::accounting::pld {
namespace {

constexpr double kTiltMin = 1e-3;
constexpr double kTiltMax = 1e4;
// The tilted tail is about e^-3 of the Chernoff bound for the tilts that occur.
constexpr double kPrefactorLog = 3;

template <class Above>
double BisectTilt(Above above) {
  double low = std::log(kTiltMin);
  double high = std::log(kTiltMax);
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (above(std::exp(middle)) ? high : low) = middle;
  }
  return std::exp(low);
}

}  // namespace

void RoughComposition::Add(std::vector<RoughLoss> losses, double count) {
  parts_.push_back(Part{std::move(losses), count});
}

double RoughComposition::WidestRelease() const {
  double widest = 0;
  for (const Part& part : parts_) {
    const auto [low, high] =
        std::minmax_element(part.losses.begin(), part.losses.end(),
                            [](const RoughLoss& a, const RoughLoss& b) { return a.loss < b.loss; });
    widest = std::max(widest, high->loss - low->loss);
  }
  return widest;
}

RoughComposition::Cumulant RoughComposition::At(double tilt) const {
  Cumulant total;
  for (const Part& part : parts_) {
    double top = -INFINITY;
    for (const RoughLoss& l : part.losses) {
      if (l.mass > 0) top = std::max(top, tilt * l.loss);
    }
    double mass = 0;
    double m0 = 0;
    double m1 = 0;
    double m2 = 0;
    for (const RoughLoss& l : part.losses) {
      const double weight = l.mass * std::exp(tilt * l.loss - top);
      mass += l.mass;
      m0 += weight;
      m1 += weight * l.loss;
      m2 += weight * l.loss * l.loss;
    }
    total.value += part.count * (std::log(m0 / mass) + top);
    total.mean += part.count * m1 / m0;
    total.variance += part.count * std::max(0.0, m2 / m0 - (m1 / m0) * (m1 / m0));
  }
  return total;
}

double RoughComposition::TiltForDelta(double delta) const {
  const double target = std::log(delta) + kPrefactorLog;
  const double top = At(kTiltMax).mean;
  return BisectTilt([&](double tilt) {
    const Cumulant c = At(tilt);
    return c.value - tilt * c.mean <= target || tilt * (top - c.mean) < 0.5;
  });
}

double RoughComposition::TiltForEpsilon(double epsilon) const {
  const double top = At(kTiltMax).mean;
  return BisectTilt([&](double tilt) {
    const Cumulant c = At(tilt);
    return c.mean >= epsilon || tilt * (top - c.mean) < 0.5;
  });
}

}  // namespace tacit::accounting::pld
