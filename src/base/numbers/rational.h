#pragma once

#include <gmpxx.h>

#include <string>
#include <string_view>

#include "base/numbers/int128.h"
#include "base/result.h"

namespace tacit {

// An exact fraction of any size. Privacy parameters are fractions: 0.1 means one tenth, not the
// double beside it, so sums and comparisons of them round nothing.
using Integer = mpz_class;
using Rational = mpq_class;

// Why 4096: enough for any parameter that means something, small enough that no input can make the
// arithmetic slow.
inline constexpr int kRationalExponentMax = 4096;

// Reads "3", "-0.25", "1e-9" or "1/3" exactly. The error names what was read.
Result<Rational> ParseRational(std::string_view text);

// The exact value of a finite double; the caller has checked that it is finite.
Rational RationalOf(double value);

Rational MakeRational(Int128 numerator, Int128 denominator = 1);
Rational Fraction(const Integer& numerator, const Integer& denominator);

// The nearest doubles that are not below / not above the exact value (possibly infinite).
double ToDoubleUp(const Rational& value);
double ToDoubleDown(const Rational& value);

Integer ToInteger(Int128 value);
Integer FloorOf(const Rational& value);
Integer CeilOf(const Rational& value);

// The smallest decimal with 12 significant digits that is not below the root of a value >= 0.
Rational SquareRootUp(const Rational& value);

// The decimal with the fewest places in [low, high], of several the smallest: what people write is
// short. 0 < low < high.
Rational ShortestWithin(const Rational& low, const Rational& high);

// The nearest Int128: values beyond the range become its end.
Int128 SaturateToInt128(const Integer& value);
bool FitsInt128(const Integer& value);

// "1/3" as it is, "0.1" where a finite decimal exists.
std::string ToString(const Rational& value);

}  // namespace tacit
