#pragma once

#include <mpfr.h>

#include "base/numbers/rational.h"

namespace tacit::accounting {

// A real number known to lie between two 256-bit floats. Every operation rounds its lower end down
// and its upper end up, so a bound read from an Interval is a bound of the exact value: closed
// formulas of privacy parameters are written once and are rigorous in both directions.
class Interval {
 public:
  Interval();
  Interval(double exact);           // NOLINT: a finite double is a number
  Interval(int exact);              // NOLINT
  Interval(const Rational& exact);  // NOLINT
  Interval(const Interval& other);
  Interval& operator=(const Interval& other);
  ~Interval();

  // The nearest doubles outside: Down() <= value <= Up().
  double Up() const;
  double Down() const;
  // The exact ends, as fractions.
  Rational ExactUp() const;
  Rational ExactDown() const;
  // Whether all of it is: without a fraction, which for e^-(2^29) has as many digits.
  bool IsAtMost(const Rational& bound) const;

  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b);
  friend Interval operator*(const Interval& a, const Interval& b);
  friend Interval operator/(const Interval& a, const Interval& b);  // 0 is not inside b
  friend Interval Exp(const Interval& a);
  friend Interval Log(const Interval& a);  // a > 0
  friend Interval Sqrt(const Interval& a);
  friend Interval Erfc(const Interval& a);
  friend Interval Tanh(const Interval& a);
  friend Interval Power(const Interval& a, uint64_t exponent);  // a >= 0
  friend Interval Max(const Interval& a, const Interval& b);
  // From a's lower end to b's upper end.
  friend Interval Hull(const Interval& a, const Interval& b);

 private:
  mpfr_t low_;
  mpfr_t high_;
};

// P(N(0,1) <= x).
Interval NormalBelow(const Interval& x);

}  // namespace tacit::accounting
