#pragma once

#include <string>

#include "base/numbers/rational.h"

namespace tacit::local {

// Natural logarithms of exact fractions, with the rounding in the name. The precision (320 bits)
// is five times that of a threshold, so an error of one unit in a threshold is always seen.

// Whether ln(ratio) <= bound. A false "no" is possible when they agree to 300 bits, a false "yes"
// never.
bool LogAtMost(const Rational& ratio, const Rational& bound);

// The least multiple of 10^-12 that is not below ln(ratio).
Rational LogUp(const Rational& ratio);

// ln(ratio) to `digits` decimals, rounded up: for showing what LogUp has rounded away.
std::string LogUpText(const Rational& ratio, int digits);

// floor(2^64 x / (x + others)) for x = exp(exponent), as near as 320 bits tell: a first guess that
// the caller checks with LogAtMost.
uint64_t GuessThreshold(const Rational& exponent, uint32_t others);

// exp(x) to double precision, for planning; no privacy parameter is computed from it.
double NearExp(const Rational& exponent);

}  // namespace tacit::local
