#pragma once

#include "base/numbers/privacy_parameters.h"

namespace tacit::accounting {

// What a promise about one person says about k people at once (a family): k steps between
// neighbours.

inline Epsilon GroupEpsilon(const Epsilon& epsilon, uint32_t people) {
  return Epsilon(Rational(epsilon.value * people));
}
// rho-zCDP for one is k^2 rho-zCDP for k.
inline Rho GroupRho(const Rho& rho, uint32_t people) {
  return Rho(Rational(rho.value * people * people));
}
// delta (1 + e^epsilon + ... + e^((k-1) epsilon)), rounded up; 1 at most.
double GroupDeltaUp(const Epsilon& epsilon, const Delta& delta, uint32_t people);

// The largest chance that a guess about someone's presence is right when presence is a coin flip:
// e^epsilon / (1 + e^epsilon), plus what delta adds, rounded up.
double GuessChanceUp(double epsilon, double delta);

}  // namespace tacit::accounting
