#include "ledger/limits.h"

#include <algorithm>
#include <vector>

#include "accounting/filter.h"

namespace tacit::ledger {
namespace {

Rational LeftOf(const Rational& spent, const Rational& capacity) {
  return std::max(Rational(0), Rational(capacity - spent));
}

// A budget under zcdp, and what it comes to.
struct Conversion {
  Budget budget;
  Cost capacity;
};

// Converting takes longer than the rest of verifying a charge, and the same few budgets, of the
// dataset and of analysts, come again with every record.
constexpr size_t kConversionsMax = 16;

Cost ConvertedOnce(const Budget& budget) {
  thread_local std::vector<Conversion> known;
  for (const Conversion& each : known) {
    if (each.budget == budget) return each.capacity;
  }
  const accounting::ZcdpFilter filter({Epsilon(budget.epsilon), Delta(budget.delta)});
  const accounting::ZcdpCost all = filter.Remaining();
  const Cost capacity{.epsilon = 0, .delta = all.delta.value, .rho = all.rho.value};
  if (known.size() >= kConversionsMax) known.clear();
  known.push_back({.budget = budget, .capacity = capacity});
  return capacity;
}

}  // namespace

Cost operator+(const Cost& a, const Cost& b) {
  return {.epsilon = a.epsilon + b.epsilon, .delta = a.delta + b.delta, .rho = a.rho + b.rho};
}

Result<Cost> CapacityOf(Accounting accounting, const Budget& budget) {
  if (accounting == Accounting::kPure) {
    return Cost{.epsilon = budget.epsilon, .delta = budget.delta, .rho = 0};
  }
  if (budget.epsilon <= 0 || budget.delta <= 0 || budget.delta >= 1) {
    return InvalidArgument("a budget under zcdp needs an epsilon, and a delta between 0 and 1",
                           "half of delta is for the conversion of rho, half for thresholds; for "
                           "example budget: {epsilon: 3, delta: 1e-6}");
  }
  return ConvertedOnce(budget);
}

bool Fits(Accounting accounting, const Cost& spent, const Cost& capacity) {
  if (spent.delta > capacity.delta) return false;
  return accounting == Accounting::kPure ? spent.epsilon <= capacity.epsilon
                                         : spent.rho <= capacity.rho;
}

Balance BalanceUnder(Accounting accounting, const Cost& spent,
                     const std::optional<Cost>& capacity) {
  Balance balance{.spent = spent, .left = std::nullopt};
  if (!capacity) return balance;
  balance.left = Cost{.epsilon = 0, .delta = LeftOf(spent.delta, capacity->delta), .rho = 0};
  if (accounting == Accounting::kPure) {
    balance.left->epsilon = LeftOf(spent.epsilon, capacity->epsilon);
  } else {
    balance.left->rho = LeftOf(spent.rho, capacity->rho);
  }
  return balance;
}

}  // namespace tacit::ledger
