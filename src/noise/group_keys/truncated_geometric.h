#pragma once

#include <vector>

#include "accounting/event.h"
#include "base/result.h"
#include "base/secrets/entropy.h"

namespace tacit::noise {

// Decides for every group whether its key is shown, from the number of units in it, when a unit is
// in at most groups_per_unit groups: (epsilon, delta)-DP for all groups together, and no rule of
// that price shows a group more often (Desfontaines, Voss, Gipson, Mandayam 2022). A group of n
// units is shown with probability table[n] / 2^128; the table is the mechanism, and Make checks the
// claim on it.
class TruncatedGeometric {
 public:
  struct Parameters {
    Epsilon epsilon;
    Delta delta;
    uint64_t groups_per_unit = 1;
  };
  static Result<TruncatedGeometric> Make(const Parameters& parameters);

  // Whether a group of `units` is shown. The threshold is drawn before the number is looked at.
  bool Apply(uint64_t units, Entropy& entropy) const { return units >= SmallestShown(entropy); }

  // The chance that a group of `units` is shown, in units of 2^-128; 2^128 itself is said as
  // "always".
  struct Chance {
    UInt128 scaled = 0;
    bool always = false;
  };
  Chance ChanceShown(uint64_t units) const;

  // The smallest group that is shown at least half of the time, and the smallest that always is.
  uint64_t ShownAtLeastHalf() const;
  uint64_t ShownAlways() const { return chances_.size(); }
  uint64_t groups_per_unit() const { return parameters_.groups_per_unit; }

  accounting::Event event() const {
    return accounting::ApproximateEvent{.epsilon = parameters_.epsilon, .delta = parameters_.delta};
  }

 private:
  explicit TruncatedGeometric(Parameters parameters) : parameters_(std::move(parameters)) {}

  uint64_t SmallestShown(Entropy& entropy) const;

  Parameters parameters_;
  std::vector<UInt128>
      chances_;  // of 0, 1, 2, ... units, rising; all larger groups are always shown
};

}  // namespace tacit::noise
