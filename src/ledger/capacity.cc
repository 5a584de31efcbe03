#include "accounting/filter.h"
#include "ledger/limits.h"

namespace tacit::ledger {

Result<Cost> CapacityOf(Accounting accounting, const Budget& budget) {
  if (accounting == Accounting::kPure) {
    return Cost{.epsilon = budget.epsilon, .delta = budget.delta, .rho = 0};
  }
  if (budget.epsilon <= 0 || budget.delta <= 0 || budget.delta >= 1) {
    return InvalidArgument("a budget under zcdp needs an epsilon, and a delta between 0 and 1",
                           "half of delta is for the conversion of rho, half for thresholds; for "
                           "example budget: {epsilon: 3, delta: 1e-6}");
  }
  const accounting::ZcdpFilter filter({Epsilon(budget.epsilon), Delta(budget.delta)});
  const accounting::ZcdpCost all = filter.Remaining();
  return Cost{.epsilon = 0, .delta = all.delta.value, .rho = all.rho.value};
}

}  // namespace tacit::ledger
