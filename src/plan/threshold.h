#pragma once

#include "base/int128.h"
#include "base/privacy_parameters.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"

namespace tacit::plan {

// The smallest thresholds, rounded up, such that groups whose people are all among `units_moved`
// neighbours, at most `groups` of them, are all withheld but with probability delta: threshold =
// units_moved + t, where one group's noise reaches t with probability at most delta / groups. See
// threshold.md.
struct ThresholdParameters {
  Integer units_moved;  // people that one step between neighbours takes away together
  Integer groups;       // groups that those people can be in
  Delta delta;
};
Int128 ThresholdUp(const noise::DiscreteLaplace& mechanism, const ThresholdParameters& parameters);
Int128 ThresholdUp(const noise::DiscreteGaussian& mechanism, const ThresholdParameters& parameters);

// The smallest double that is not below ln(value), for value >= 1.
double LogUp(const Rational& value);

}  // namespace tacit::plan
