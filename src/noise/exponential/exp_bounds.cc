#include "noise/exponential/exp_bounds.h"

#include <mpfr.h>

#include <functional>

#include "accounting/interval/mpfr_number.h"

namespace tacit::noise {
namespace {

using Real = accounting::MpfrNumber;

// Why 64: the sub-results below lose fewer than 16 bits; the rest makes a second try rare.
constexpr unsigned kGuardBits = 64;

Integer ScaledFloor(Real& x, unsigned bits) {
  Integer result;
  mpfr_mul_2ui(x.get(), x.get(), bits, MPFR_RNDD);  // exact: only the exponent changes
  mpfr_get_z(result.get_mpz_t(), x.get(), MPFR_RNDD);
  return result;
}

Integer ScaledCeil(Real& x, unsigned bits) {
  Integer result;
  mpfr_mul_2ui(x.get(), x.get(), bits, MPFR_RNDU);
  mpfr_get_z(result.get_mpz_t(), x.get(), MPFR_RNDU);
  return result;
}

// exp(x) rounded in the given direction, for any rational x.
void SetExp(Real& result, const Rational& x, mpfr_rnd_t direction) {
  mpfr_set_q(result.get(), x.get_mpq_t(), direction);
  mpfr_exp(result.get(), result.get(), direction);
}

// Raises the precision until both ends have the same floor: x is irrational, so they do at last.
Integer FloorBetween(const std::function<ScaledBounds(unsigned)>& bounds_at, unsigned bits) {
  for (unsigned extra = kGuardBits;; extra *= 2) {
    const ScaledBounds bounds = bounds_at(bits + extra);
    const Integer low = bounds.low >> extra;
    if (low == Integer(bounds.high >> extra)) return low;
  }
}

ScaledBounds DigitBounds(int n, const Rational& weight, unsigned bits) {
  const mpfr_prec_t precision = bits + kGuardBits;
  ScaledBounds bounds;
  for (const mpfr_rnd_t outwards : {MPFR_RNDD, MPFR_RNDU}) {
    const mpfr_rnd_t inwards = outwards == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
    Real all(precision);    // e^(-16 w): subtracting more of it makes the quotient smaller,
    Real digit(precision);  // because the numerator is below the denominator
    Real complement(precision);
    SetExp(all, -16 * weight, inwards);
    SetExp(digit, -n * weight, outwards);
    mpfr_sub(digit.get(), digit.get(), all.get(), outwards);
    SetExp(all, -16 * weight, outwards);
    mpfr_ui_sub(complement.get(), 1, all.get(), inwards);
    mpfr_div(digit.get(), digit.get(), complement.get(), outwards);
    (outwards == MPFR_RNDD ? bounds.low : bounds.high) =
        outwards == MPFR_RNDD ? ScaledFloor(digit, bits) : ScaledCeil(digit, bits);
  }
  return bounds;
}

}  // namespace

ScaledBounds ExpOfMinus(const Rational& x, unsigned bits) {
  TACIT_ASSERT(x >= 0);
  Real low(bits + kGuardBits);
  Real high(bits + kGuardBits);
  SetExp(low, -x, MPFR_RNDD);
  SetExp(high, -x, MPFR_RNDU);
  return {.low = ScaledFloor(low, bits), .high = ScaledCeil(high, bits)};
}

ScaledBounds ExpOfPlus(const Rational& x, unsigned bits) {
  TACIT_ASSERT(x >= 0 && x <= kExpArgumentMax);
  // e^x has fewer than 2x + 2 bits before the point; with these and `bits` after it the relative
  // distance of the two ends is below 2^-bits.
  const auto whole_bits = static_cast<unsigned>(2 * tacit::FloorOf(x).get_ui() + 2);
  Real low(whole_bits + bits + kGuardBits);
  Real high(whole_bits + bits + kGuardBits);
  SetExp(low, x, MPFR_RNDD);
  SetExp(high, x, MPFR_RNDU);
  return {.low = ScaledFloor(low, bits), .high = ScaledCeil(high, bits)};
}

// proof: noise/exponential/proof.md#proof
Integer DigitThreshold(int n, const Rational& weight, unsigned bits) {
  return FloorBetween([&](unsigned more) { return DigitBounds(n, weight, more); }, bits);
}

Integer ExpThreshold(const Rational& x, unsigned bits) {
  TACIT_ASSERT(x > 0);
  return FloorBetween([&](unsigned more) { return ExpOfMinus(x, more); }, bits);
}

}  // namespace tacit::noise
