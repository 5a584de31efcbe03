#pragma once

#include "base/result.h"
#include "noise/column_mechanism.h"

namespace tacit::noise {

// Key and count in one release: a group is shown, with its noisy number of units, when that number
// reaches a threshold. Groups that exist only through the units in which two neighbours differ
// reach it with probability delta at most, all of them together. The threshold is computed from the
// very noise it stands against. Besides the noise, the release costs delta.
class NoisyThreshold {
 public:
  struct Parameters {
    Integer units_moved = 1;  // units in one neighbour and not in the other
    Integer groups = 1;       // groups that those units can be in
    Delta delta;              // above 0
  };
  static Result<NoisyThreshold> Over(const ColumnMechanism& noise, const Parameters& parameters);

  // Whether a group with this noisy number of units is shown. Groups of no units do not exist and
  // are never asked for.
  bool Shows(Int128 noisy_units) const { return noisy_units >= threshold_; }

  Int128 threshold() const { return threshold_; }
  const Delta& delta() const { return delta_; }

 private:
  NoisyThreshold(const Integer& threshold, Delta delta)
      : threshold_(SaturateToInt128(threshold)), delta_(std::move(delta)) {}

  Int128 threshold_;
  Delta delta_;
};

}  // namespace tacit::noise
