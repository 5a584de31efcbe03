#include "local/design/exact_log.h"

#include <mpfr.h>

#include <cmath>

#include "accounting/interval/mpfr_number.h"

namespace tacit::local {
namespace {

constexpr mpfr_prec_t kPrecisionBits = 320;

using Real = accounting::MpfrNumber;

void SetLogUp(Real& out, const Rational& ratio) {
  mpfr_set_q(out.get(), ratio.get_mpq_t(), MPFR_RNDU);
  mpfr_log(out.get(), out.get(), MPFR_RNDU);
}

}  // namespace

bool LogAtMost(const Rational& ratio, const Rational& bound) {
  Real log(kPrecisionBits);
  SetLogUp(log, ratio);
  return mpfr_cmp_q(log.get(), bound.get_mpq_t()) <= 0;
}

Rational LogUp(const Rational& ratio) {
  static const Integer kUnits("1000000000000");
  Real log(kPrecisionBits);
  SetLogUp(log, ratio);
  mpfr_mul_z(log.get(), log.get(), kUnits.get_mpz_t(), MPFR_RNDU);
  Integer units;
  mpfr_get_z(units.get_mpz_t(), log.get(), MPFR_RNDU);
  Rational rounded(units, kUnits);
  rounded.canonicalize();
  return rounded;
}

std::string LogUpText(const Rational& ratio, int digits) {
  Real log(kPrecisionBits);
  SetLogUp(log, ratio);
  char text[128];
  mpfr_snprintf(text, sizeof(text), "%.*RUf", digits, log.get());
  return text;
}

uint64_t GuessThreshold(const Rational& exponent, uint32_t others) {
  Real share(kPrecisionBits);
  mpfr_set_q(share.get(), Rational(-exponent).get_mpq_t(), MPFR_RNDU);
  mpfr_exp(share.get(), share.get(), MPFR_RNDU);
  mpfr_mul_ui(share.get(), share.get(), others, MPFR_RNDU);
  mpfr_add_ui(share.get(), share.get(), 1, MPFR_RNDU);
  mpfr_ui_div(share.get(), 1, share.get(), MPFR_RNDD);
  mpfr_mul_2ui(share.get(), share.get(), 64, MPFR_RNDD);
  Integer threshold;
  mpfr_get_z(threshold.get_mpz_t(), share.get(), MPFR_RNDD);
  return mpz_get_ui(threshold.get_mpz_t());
}

double NearExp(const Rational& exponent) { return std::exp(exponent.get_d()); }

}  // namespace tacit::local
