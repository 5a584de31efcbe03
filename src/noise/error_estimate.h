#pragma once

#include "base/numbers/rational.h"

namespace tacit::noise {

// How far noise may be off: the smallest whole m with P(|X| > m) <= 5 %. Estimates for people, made
// of public parameters in floating point: nothing private and no privacy parameter depends on them.
Integer LaplaceErrorAt95(const Rational& scale);
Integer GaussianErrorAt95(const Rational& sigma_squared);

// The smallest whole loss that a choice with weights e^(rate * utility) among so many candidates
// exceeds at most once in twenty, whatever the utilities are: ln(candidates / 5 %) / rate.
Integer ExponentialChoiceErrorAt95(const Rational& rate, const Integer& candidates);

}  // namespace tacit::noise
