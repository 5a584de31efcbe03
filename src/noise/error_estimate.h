#pragma once

#include <vector>

#include "base/numbers/rational.h"

namespace tacit::noise {

// How far noise may be off: the smallest whole m with P(|X| > m) <= 5 %. Estimates for people, made
// of public parameters in floating point: nothing private and no privacy parameter depends on them.
Integer LaplaceErrorAt95(const Rational& scale);
// The smallest whole m with P(|X| > m) <= 5 % / parts, so that one of so many is off at 95 %.
Integer LaplaceErrorOfParts(const Rational& scale, size_t parts);
Integer GaussianErrorAt95(const Rational& sigma_squared);

// The errors in the middle of each of `parts` equally likely parts, in rising order.
std::vector<Integer> LaplaceErrors(const Rational& scale, int parts);
std::vector<Integer> GaussianErrors(const Rational& sigma_squared, int parts);

// The smallest whole loss that a choice with weights e^(rate * utility) among so many candidates
// exceeds at most once in twenty, whatever the utilities are: ln(candidates / 5 %) / rate.
Integer ExponentialChoiceErrorAt95(const Rational& rate, const Integer& candidates);

}  // namespace tacit::noise
