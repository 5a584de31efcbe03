#pragma once

#include "base/numbers/privacy_parameters.h"

namespace tacit::accounting {

// Conversions between rho-zCDP and (epsilon, delta)-DP by Canonne, Kamath and Steinke 2020,
// corollary 13: for every alpha > 1, delta = e^((alpha-1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha
// / (alpha - 1). Any alpha gives a valid bound, so the best is searched in doubles and the bound is
// evaluated there with directed rounding.

// The smallest epsilon >= 0 at this delta > 0.
double ZcdpEpsilonUp(const Rho& rho, const Delta& delta);

// The same rounded down: never more than the smallest epsilon. For showing what is left of a
// budget.
double ZcdpEpsilonDown(const Rho& rho, const Delta& delta);

double ZcdpDeltaUp(const Rho& rho, double epsilon);

// The largest rho whose (epsilon, delta) this is, rounded down and exact as a fraction; zero where
// there is none.
Rho ZcdpRhoDown(const Epsilon& epsilon, const Delta& delta);

}  // namespace tacit::accounting
