#include "plan/threshold.h"

#include <mpfr.h>

namespace tacit::plan {
namespace {

Integer CeilOfSquareRoot(const Rational& value) {
  const Integer whole = CeilOf(value);
  Integer root = sqrt(whole);
  if (root * root < whole) ++root;
  return root;
}

Rational Odds(const ThresholdParameters& parameters) {
  TACIT_ASSERT(parameters.delta.value > 0 && parameters.delta.value < 1);
  TACIT_ASSERT(parameters.groups >= 1 && parameters.units_moved >= 1);
  return Rational(parameters.groups / parameters.delta.value);
}

// Noise of at least t >= 1: a group of people who all leave must not be shown without any noise.
Int128 Above(const ThresholdParameters& parameters, Integer t) {
  if (t < 1) t = 1;
  return SaturateToInt128(parameters.units_moved + t);
}

}  // namespace

double LogUp(const Rational& value) {
  TACIT_ASSERT(value >= 1);
  mpfr_t x;
  mpfr_init2(x, 128);
  mpfr_set_q(x, value.get_mpq_t(), MPFR_RNDU);
  mpfr_log(x, x, MPFR_RNDU);
  const double result = mpfr_get_d(x, MPFR_RNDU);
  mpfr_clear(x);
  return result;
}

// P(X >= t) <= e^(-t / scale) for t >= 1, so t = scale * ln(groups / delta).
Int128 ThresholdUp(const noise::DiscreteLaplace& mechanism, const ThresholdParameters& parameters) {
  const Rational log = RationalOf(LogUp(Odds(parameters)));
  return Above(parameters, CeilOf(Rational(mechanism.scale() * log)));
}

// The discrete Gaussian is sub-Gaussian with parameter sigma: P(X >= t) <= e^(-t^2 / (2 sigma^2)).
Int128 ThresholdUp(const noise::DiscreteGaussian& mechanism,
                   const ThresholdParameters& parameters) {
  const Rational log = RationalOf(LogUp(Odds(parameters)));
  return Above(parameters, CeilOfSquareRoot(Rational(2 * log * mechanism.sigma_squared())));
}

}  // namespace tacit::plan
