#pragma once

#include "base/numbers/rational.h"

namespace tacit::noise {

// A real number x enclosed by integers: low <= x * 2^bits <= high.
struct ScaledBounds {
  Integer low;
  Integer high;
};

// exp(-x) for x >= 0, correctly rounded outwards by MPFR; high - low is at most 2.
ScaledBounds ExpOfMinus(const Rational& x, unsigned bits);

// exp(x) for 0 <= x <= kExpArgumentMax; high / low is at most 1 + 2^-bits.
// Why 2^20: beyond it a number has a million digits, and its size alone decides every comparison.
inline constexpr long kExpArgumentMax = 1L << 20;
ScaledBounds ExpOfPlus(const Rational& x, unsigned bits);

// floor(p * 2^bits) for p = (e^(-n w) - e^(-16 w)) / (1 - e^(-16 w)): the chance that a base-16
// digit of weight w of an exponential variate is at least n, for n in 1..15.
Integer DigitThreshold(int n, const Rational& weight, unsigned bits);

// floor(e^(-x) * 2^bits) for rational x > 0, where e^(-x) is irrational and so never on a boundary.
Integer ExpThreshold(const Rational& x, unsigned bits);

}  // namespace tacit::noise
