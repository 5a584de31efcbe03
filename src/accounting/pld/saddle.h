#pragma once

#include <optional>

#include "accounting/pld/losses/losses.h"

namespace tacit::accounting::pld {

// The rough composition: where the losses of all releases together lie when tilted by
// e^(tilt * loss). It chooses mesh, tilt and window; no bound rests on it.
class RoughComposition {
 public:
  void Add(std::vector<RoughLoss> losses, double count);

  struct Cumulant {
    double value = 0;     // ln E e^(tilt loss)
    double mean = 0;      // its derivative: the tilted mean
    double variance = 0;  // the second one
  };
  Cumulant At(double tilt) const;
  // From the smallest loss of one release to the largest, over all kinds of releases.
  double WidestRelease() const;

  // The tilt at which delta is about the tilted mean's: the errors of the composition are then
  // relative to delta instead of absolute.
  double TiltForDelta(double delta) const;
  double TiltForEpsilon(double epsilon) const;

 private:
  struct Part {
    std::vector<RoughLoss> losses;
    double count = 0;
  };
  std::vector<Part> parts_;
};

}  // namespace tacit::accounting::pld
