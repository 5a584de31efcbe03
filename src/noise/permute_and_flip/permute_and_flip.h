#pragma once

#include <vector>

#include "accounting/event.h"
#include "base/result.h"
#include "noise/exponential/exponential.h"

namespace tacit::noise {

// Chooses one of finitely many candidates, the better the likelier: pure epsilon-DP, and never
// further from the best on average than the exponential mechanism, often half as far. It has no
// bounded range, so that under zCDP the exponential mechanism is the better choice.
class PermuteAndFlip {
 public:
  struct Parameters {
    Integer spread;  // as in ExponentialMechanism: of the difference of any two utilities
    Epsilon epsilon;
  };
  static Result<PermuteAndFlip> Make(const Parameters& parameters);

  // The index of the chosen candidate; there is one.
  size_t Apply(const std::vector<int64_t>& utilities, Entropy& entropy) const;

  accounting::Event event() const { return accounting::PureEvent{.epsilon = epsilon_}; }

  // The chosen candidate's utility is at most this far below the best one in 95 % of choices,
  // whatever the utilities are.
  Integer UtilityLossAt95(size_t candidates) const;

 private:
  PermuteAndFlip(Epsilon epsilon, Rational rate)
      : epsilon_(std::move(epsilon)), rate_(std::move(rate)) {}

  struct Drawn;
  bool IsAhead(Drawn& one, Drawn& other, Entropy& entropy) const;

  Epsilon epsilon_;
  Rational rate_;  // epsilon / spread
};

}  // namespace tacit::noise
