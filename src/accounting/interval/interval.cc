#include "accounting/interval/interval.h"

#include <algorithm>

#include "accounting/interval/mpfr_caches.h"

namespace tacit::accounting {
namespace {

// Why 256: the formulas lose a few dozen bits to cancellation; the result still has 53 to spare.
constexpr mpfr_prec_t kPrecisionBits = 256;

Rational ExactRational(const mpfr_t value) {
  TACIT_ASSERT(mpfr_number_p(value));
  Rational result;
  mpfr_get_q(result.get_mpq_t(), value);
  return result;
}

}  // namespace

Interval::Interval() {
  FreeMpfrCachesWithThread();
  mpfr_init2(low_, kPrecisionBits);
  mpfr_init2(high_, kPrecisionBits);
  mpfr_set_zero(low_, 1);
  mpfr_set_zero(high_, 1);
}

Interval::Interval(double exact) : Interval() {
  mpfr_set_d(low_, exact, MPFR_RNDD);
  mpfr_set_d(high_, exact, MPFR_RNDU);
}

Interval::Interval(int exact) : Interval(static_cast<double>(exact)) {}

Interval::Interval(const Rational& exact) : Interval() {
  mpfr_set_q(low_, exact.get_mpq_t(), MPFR_RNDD);
  mpfr_set_q(high_, exact.get_mpq_t(), MPFR_RNDU);
}

Interval::Interval(const Interval& other) : Interval() { *this = other; }

Interval& Interval::operator=(const Interval& other) {
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
  return *this;
}

Interval::~Interval() {
  mpfr_clear(low_);
  mpfr_clear(high_);
}

double Interval::Up() const { return mpfr_get_d(high_, MPFR_RNDU); }
double Interval::Down() const { return mpfr_get_d(low_, MPFR_RNDD); }
Rational Interval::ExactUp() const { return ExactRational(high_); }
Rational Interval::ExactDown() const { return ExactRational(low_); }
bool Interval::IsAtMost(const Rational& bound) const {
  TACIT_ASSERT(!mpfr_nan_p(high_));
  return mpfr_cmp_q(high_, bound.get_mpq_t()) <= 0;
}

Interval operator+(const Interval& a, const Interval& b) {
  Interval sum;
  mpfr_add(sum.low_, a.low_, b.low_, MPFR_RNDD);
  mpfr_add(sum.high_, a.high_, b.high_, MPFR_RNDU);
  return sum;
}

Interval operator-(const Interval& a, const Interval& b) {
  Interval difference;
  mpfr_sub(difference.low_, a.low_, b.high_, MPFR_RNDD);
  mpfr_sub(difference.high_, a.high_, b.low_, MPFR_RNDU);
  return difference;
}

Interval operator*(const Interval& a, const Interval& b) {
  Interval product;
  Interval candidate;
  bool first = true;
  for (mpfr_srcptr x : {a.low_, a.high_}) {
    for (mpfr_srcptr y : {b.low_, b.high_}) {
      mpfr_mul(candidate.low_, x, y, MPFR_RNDD);
      mpfr_mul(candidate.high_, x, y, MPFR_RNDU);
      if (first || mpfr_less_p(candidate.low_, product.low_)) {
        mpfr_set(product.low_, candidate.low_, MPFR_RNDD);
      }
      if (first || mpfr_greater_p(candidate.high_, product.high_)) {
        mpfr_set(product.high_, candidate.high_, MPFR_RNDU);
      }
      first = false;
    }
  }
  return product;
}

Interval operator/(const Interval& a, const Interval& b) {
  TACIT_ASSERT(mpfr_sgn(b.low_) * mpfr_sgn(b.high_) > 0);
  Interval reciprocal;
  mpfr_ui_div(reciprocal.low_, 1, b.high_, MPFR_RNDD);
  mpfr_ui_div(reciprocal.high_, 1, b.low_, MPFR_RNDU);
  return a * reciprocal;
}

Interval Exp(const Interval& a) {
  Interval result;
  mpfr_exp(result.low_, a.low_, MPFR_RNDD);
  mpfr_exp(result.high_, a.high_, MPFR_RNDU);
  return result;
}

Interval Log(const Interval& a) {
  TACIT_ASSERT(mpfr_sgn(a.low_) > 0);
  Interval result;
  mpfr_log(result.low_, a.low_, MPFR_RNDD);
  mpfr_log(result.high_, a.high_, MPFR_RNDU);
  return result;
}

Interval Sqrt(const Interval& a) {
  TACIT_ASSERT(mpfr_sgn(a.low_) >= 0);
  Interval result;
  mpfr_sqrt(result.low_, a.low_, MPFR_RNDD);
  mpfr_sqrt(result.high_, a.high_, MPFR_RNDU);
  return result;
}

Interval Erfc(const Interval& a) {  // decreasing
  Interval result;
  mpfr_erfc(result.low_, a.high_, MPFR_RNDD);
  mpfr_erfc(result.high_, a.low_, MPFR_RNDU);
  return result;
}

Interval Tanh(const Interval& a) {
  Interval result;
  mpfr_tanh(result.low_, a.low_, MPFR_RNDD);
  mpfr_tanh(result.high_, a.high_, MPFR_RNDU);
  return result;
}

Interval Power(const Interval& a, uint64_t exponent) {
  TACIT_ASSERT(mpfr_sgn(a.low_) >= 0);
  Interval result;
  mpfr_pow_ui(result.low_, a.low_, exponent, MPFR_RNDD);
  mpfr_pow_ui(result.high_, a.high_, exponent, MPFR_RNDU);
  return result;
}

Interval Max(const Interval& a, const Interval& b) {
  Interval result;
  mpfr_max(result.low_, a.low_, b.low_, MPFR_RNDD);
  mpfr_max(result.high_, a.high_, b.high_, MPFR_RNDU);
  return result;
}

Interval Hull(const Interval& a, const Interval& b) {
  Interval result;
  mpfr_set(result.low_, a.low_, MPFR_RNDD);
  mpfr_set(result.high_, b.high_, MPFR_RNDU);
  return result;
}

Interval NormalBelow(const Interval& x) {
  return Erfc(Interval(0) - x / Sqrt(Interval(2))) / Interval(2);
}

}  // namespace tacit::accounting
