#include <mpfr.h>

#include "ledger/limits.h"

namespace tacit::ledger {
namespace {

// The largest rho whose conversion stays within (epsilon, delta), rounded down: rho-zCDP is
// (rho + 2 sqrt(rho L), delta)-DP with L = ln(1/delta), hence
//   rho = epsilon^2 / (sqrt(L + epsilon) + sqrt(L))^2.
// The denominator is rounded up at every step, the quotient down.
Rational RhoOfBudgetDown(const Rational& epsilon, const Rational& delta) {
  mpfr_t log, root, sum;
  mpfr_inits2(128, log, root, sum, nullptr);
  const Rational inverse = 1 / delta;
  mpfr_set_q(log, inverse.get_mpq_t(), MPFR_RNDU);
  mpfr_log(log, log, MPFR_RNDU);
  mpfr_sqrt(root, log, MPFR_RNDU);
  mpfr_add_q(sum, log, epsilon.get_mpq_t(), MPFR_RNDU);
  mpfr_sqrt(sum, sum, MPFR_RNDU);
  mpfr_add(sum, sum, root, MPFR_RNDU);
  mpfr_sqr(sum, sum, MPFR_RNDU);
  Rational divisor;
  mpfr_get_q(divisor.get_mpq_t(), sum);
  mpfr_clears(log, root, sum, nullptr);
  return ToDoubleDown(epsilon * epsilon / divisor);
}

}  // namespace

Result<Cost> CapacityOf(Accounting accounting, const Budget& budget) {
  if (accounting == Accounting::kPure) {
    return Cost{.epsilon = budget.epsilon, .delta = budget.delta, .rho = 0};
  }
  if (budget.delta <= 0 || budget.delta >= 1) {
    return InvalidArgument("a budget under zcdp needs a delta between 0 and 1",
                           "half of it is for the conversion to (epsilon, delta), half for "
                           "thresholds; for example delta: 1e-6");
  }
  const Rational half = budget.delta / 2;
  return Cost{.epsilon = 0, .delta = half, .rho = RhoOfBudgetDown(budget.epsilon, half)};
}

}  // namespace tacit::ledger
