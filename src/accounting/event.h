#pragma once

#include <variant>
#include <vector>

#include "base/numbers/privacy_parameters.h"

namespace tacit::accounting {

// What a release did to one person's privacy, in the mechanism's own terms. Accountants turn events
// into epsilon, delta and rho; a mechanism says its event and nothing else, so no bound is computed
// twice.
//
// Sensitivities are those of one step between neighbours, as the planner derived them for the
// neighbour relation in force (under replace_one that is one unit removed and one added).

struct PureEvent {  // any epsilon-DP release
  Epsilon epsilon;
};
struct ApproximateEvent {  // any (epsilon, delta)-DP release
  Epsilon epsilon;
  Delta delta;
};
struct LaplaceEvent {  // continuous Laplace; epsilon = sensitivity / scale
  Epsilon epsilon;
};
struct DiscreteLaplaceEvent {  // P(x) ~ exp(-|x| / scale) on the integers
  Integer sensitivity_l1;
  Rational scale;
};
struct GaussianEvent {  // continuous Gaussian, sigma in units of the L2 sensitivity
  Rational sigma;
};
struct DiscreteGaussianEvent {  // P(x) ~ exp(-x^2 / (2 sigma^2)) on the integers, per coordinate
  Rational sensitivity_l2_squared;
  Rational sigma_squared;
};
struct SubsampledGaussianEvent {  // Poisson sampling at rate q, then Gaussian; add/remove only
  Rational sigma;
  Rational rate;
};
struct ExponentialMechanismEvent {  // epsilon-bounded range: rho = epsilon^2 / 8
  Epsilon epsilon;
};

using Event =
    std::variant<PureEvent, ApproximateEvent, LaplaceEvent, DiscreteLaplaceEvent, GaussianEvent,
                 DiscreteGaussianEvent, SubsampledGaussianEvent, ExponentialMechanismEvent>;

// The same event `count` times.
struct Term {
  Event event;
  uint64_t count = 1;
};

// add_remove: neighbours differ by one unit present or absent. replace_one: one unit's rows
// changed.
enum class Neighbours { kAddRemove, kReplaceOne };

}  // namespace tacit::accounting
