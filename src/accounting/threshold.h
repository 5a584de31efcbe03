#pragma once

#include "base/numbers/privacy_parameters.h"

namespace tacit::accounting {

// A private group key is shown when its noisy count reaches a threshold. A group that exists only
// through one person, who adds `contribution` to its count, may be shown with probability delta at
// most; with several such groups their probabilities add up to delta at most.
struct ThresholdWish {
  Integer contribution = 1;
  Integer groups = 1;
  Delta delta;  // above 0
};

// The smallest integer tau, at least 1, with groups * P(contribution + X >= tau) <= delta for
// discrete Laplace noise, P(x) ~ exp(-|x| / scale). Exact: no smaller tau passes.
Integer DiscreteLaplaceThreshold(const Rational& scale, const ThresholdWish& wish);

// The same for discrete Gaussian noise, P(x) ~ exp(-x^2 / (2 sigma^2)). The smallest tau for which
// the tail is proven small enough; above sigma = 10 an integral bounds the tail and tau may be one
// too high.
Integer DiscreteGaussianThreshold(const Rational& sigma_squared, const ThresholdWish& wish);

// P(X >= n) for n >= 0, rounded up.
double DiscreteGaussianTailUp(const Rational& sigma_squared, const Integer& n);

}  // namespace tacit::accounting
