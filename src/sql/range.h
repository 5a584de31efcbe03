#pragma once

#include <optional>

#include "base/numbers/rational.h"

namespace tacit::sql {

// The closed interval in which every non-NULL value of a numeric expression lies, or, in seconds
// since 1970, of a date or a time (a date is its midnight); an absent end is unbounded. Exact, so
// that a bound in a policy comes out as the bound in a proof. Floating-point results may pass a
// computed end by rounding, and an overflow is an infinity: whoever relies on the range clamps to
// it.
struct Range {
  std::optional<Rational> low;
  std::optional<Rational> high;
  bool may_be_null = true;  // LEAST and GREATEST ignore NULLs, so their bounds depend on it

  bool IsBounded() const { return low.has_value() && high.has_value(); }
  friend bool operator==(const Range&, const Range&) = default;
};

Range PointRange(const Rational& value);
Range UnionOf(const Range& a, const Range& b);
Range IntersectionOf(const Range& a, const Range& b);  // an empty one collapses to a single point

Range Negated(const Range& a);
Range Sum(const Range& a, const Range& b);
Range Difference(const Range& a, const Range& b);
Range Product(const Range& a, const Range& b);
// Of a value and a divisor that is not zero (division by zero is NULL). Truncated towards zero for
// integers; there |b| >= 1, so the magnitude never grows.
Range Quotient(const Range& a, const Range& b, bool integers);
Range Remainder(const Range& a, const Range& b);  // the sign of a, |result| < |b|
Range Absolute(const Range& a);
// NULL operands are ignored, as in PostgreSQL: least(x, 3) is at most 3 because 3 is never NULL.
Range LeastOf(const Range& a, const Range& b);
Range GreatestOf(const Range& a, const Range& b);
// The union of the ends rounded outward to multiples of 10^-digits: holds for every rounding rule.
Range RoundedOutward(const Range& a, int digits);

}  // namespace tacit::sql
