#pragma once

#include "accounting/interval/interval.h"
#include "base/numbers/privacy_parameters.h"

namespace tacit::accounting {

// The exact curve of the Gaussian mechanism (Balle and Wang 2018, theorem 8), sigma in units of the
// L2 sensitivity: delta = F(1/(2 sigma) - epsilon sigma) - e^epsilon F(-1/(2 sigma) - epsilon
// sigma), F the normal distribution function. Symmetric in the neighbours, so valid under
// add_remove and under replace_one alike.
Interval GaussianDelta(const Rational& sigma, const Interval& epsilon);

// The smallest epsilon >= 0 at this delta, rounded up or down by a few ulps.
double GaussianEpsilonUp(const Rational& sigma, const Delta& delta);
double GaussianEpsilonDown(const Rational& sigma, const Delta& delta);

// The smallest sigma that gives (epsilon, delta), rounded up. delta > 0.
double GaussianSigmaUp(const Epsilon& epsilon, const Delta& delta);

// The exact curve of one Poisson-subsampled Gaussian, the larger of its two directions (add_remove
// only).
Interval SubsampledGaussianDelta(const Rational& sigma, const Rational& rate, double epsilon);

}  // namespace tacit::accounting
