#include "ledger/limits.h"

#include <algorithm>

namespace tacit::ledger {
namespace {

Rational LeftOf(const Rational& spent, const Rational& capacity) {
  return std::max(Rational(0), Rational(capacity - spent));
}

}  // namespace

Cost operator+(const Cost& a, const Cost& b) {
  return {.epsilon = a.epsilon + b.epsilon, .delta = a.delta + b.delta, .rho = a.rho + b.rho};
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
