#include "sql/range.h"

#include <algorithm>
#include <vector>

namespace tacit::sql {
namespace {

using End = std::optional<Rational>;

End Lower(const End& a, const End& b) {
  if (!a || !b) return std::nullopt;
  return *a < *b ? a : b;
}
End Upper(const End& a, const End& b) {
  if (!a || !b) return std::nullopt;
  return *a < *b ? b : a;
}

bool ContainsZero(const Range& range) {
  return (!range.low || *range.low <= 0) && (!range.high || *range.high >= 0);
}

Rational PowerOfTen(int exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  return exponent >= 0 ? Rational(power) : Rational(Integer(1), power);
}

// The range of 1/b for b of one sign that stays away from zero; unbounded ends come near zero.
std::optional<Range> Reciprocal(const Range& b) {
  if (ContainsZero(b)) return std::nullopt;
  const Rational zero = 0;
  if (b.low && *b.low > 0) {
    return Range{.low = b.high ? Rational(1 / *b.high) : zero, .high = Rational(1 / *b.low)};
  }
  return Range{.low = Rational(1 / *b.high), .high = b.low ? Rational(1 / *b.low) : zero};
}

}  // namespace

Range PointRange(const Rational& value) {
  return {.low = value, .high = value, .may_be_null = false};
}

Range UnionOf(const Range& a, const Range& b) {
  return {.low = Lower(a.low, b.low),
          .high = Upper(a.high, b.high),
          .may_be_null = a.may_be_null || b.may_be_null};
}

Range IntersectionOf(const Range& a, const Range& b) {
  Range result = a;
  if (b.low && (!result.low || *result.low < *b.low)) result.low = b.low;
  if (b.high && (!result.high || *b.high < *result.high)) result.high = b.high;
  if (result.IsBounded() && *result.high < *result.low) result.high = result.low;
  return result;
}

Range Negated(const Range& a) {
  Range result;
  if (a.high) result.low = Rational(-*a.high);
  if (a.low) result.high = Rational(-*a.low);
  result.may_be_null = a.may_be_null;
  return result;
}

Range Sum(const Range& a, const Range& b) {
  Range result;
  if (a.low && b.low) result.low = Rational(*a.low + *b.low);
  if (a.high && b.high) result.high = Rational(*a.high + *b.high);
  return result;
}

Range Difference(const Range& a, const Range& b) { return Sum(a, Negated(b)); }

Range Product(const Range& a, const Range& b) {
  if (a.IsBounded() && b.IsBounded()) {
    const std::vector<Rational> corners = {Rational(*a.low * *b.low), Rational(*a.low * *b.high),
                                           Rational(*a.high * *b.low), Rational(*a.high * *b.high)};
    return {.low = *std::min_element(corners.begin(), corners.end()),
            .high = *std::max_element(corners.begin(), corners.end())};
  }
  // Half-bounded operands: only the sign is known.
  const auto not_negative = [](const Range& r) { return r.low && *r.low >= 0; };
  const auto not_positive = [](const Range& r) { return r.high && *r.high <= 0; };
  if ((not_negative(a) && not_negative(b)) || (not_positive(a) && not_positive(b))) {
    return {.low = Rational(0), .high = std::nullopt};
  }
  if ((not_negative(a) && not_positive(b)) || (not_positive(a) && not_negative(b))) {
    return {.low = std::nullopt, .high = Rational(0)};
  }
  return {};
}

Range Quotient(const Range& a, const Range& b, bool integers) {
  if (const std::optional<Range> reciprocal = Reciprocal(b)) {
    const Range exact = Product(a, *reciprocal);
    if (!integers) return exact;
    // Truncation moves towards zero, so it stays between zero and the exact quotient.
    Range result;
    if (exact.low)
      result.low = *exact.low > 0 ? Rational(FloorOf(*exact.low)) : Rational(CeilOf(*exact.low));
    if (exact.high)
      result.high =
          *exact.high > 0 ? Rational(FloorOf(*exact.high)) : Rational(CeilOf(*exact.high));
    return result;
  }
  if (!integers || !a.IsBounded()) return {};
  const Rational magnitude = std::max(Rational(abs(*a.low)), Rational(abs(*a.high)));
  return {.low = Rational(-magnitude), .high = magnitude};
}

Range Remainder(const Range& a, const Range& b) {
  Range result;
  if (b.IsBounded()) {
    const Rational magnitude = std::max(Rational(abs(*b.low)), Rational(abs(*b.high)));
    result = {.low = Rational(-magnitude), .high = magnitude};
  }
  if (a.low && *a.low >= 0) result.low = Rational(0);
  if (a.high && *a.high <= 0) result.high = Rational(0);
  // |a % b| <= |a| with the same sign.
  return IntersectionOf(result, UnionOf(a, PointRange(0)));
}

Range Absolute(const Range& a) {
  if (a.low && *a.low >= 0) return a;
  if (a.high && *a.high <= 0) return Negated(a);
  Range result{.low = Rational(0), .high = std::nullopt};
  if (a.IsBounded()) result.high = std::max(Rational(-*a.low), *a.high);
  return result;
}

Range LeastOf(const Range& a, const Range& b) {
  Range result{.low = Lower(a.low, b.low),
               .high = Upper(a.high, b.high),
               .may_be_null = a.may_be_null && b.may_be_null};
  // An operand that is never NULL always takes part, so the result is never above it.
  for (const Range* side : {&a, &b}) {
    if (side->may_be_null || !side->high) continue;
    if (!result.high || *side->high < *result.high) result.high = side->high;
  }
  return result;
}

Range GreatestOf(const Range& a, const Range& b) {
  Range result = Negated(LeastOf(Negated(a), Negated(b)));
  result.may_be_null = a.may_be_null && b.may_be_null;
  return result;
}

Range RoundedOutward(const Range& a, int digits) {
  const Rational unit = PowerOfTen(-digits);
  Range result;
  if (a.low) result.low = Rational(Rational(FloorOf(Rational(*a.low / unit))) * unit);
  if (a.high) result.high = Rational(Rational(CeilOf(Rational(*a.high / unit))) * unit);
  return result;
}

}  // namespace tacit::sql
