#pragma once

#include "accounting/cost.h"
#include "base/result.h"

namespace tacit::accounting {

// Filters stop adaptively chosen releases before they exceed a budget that was fixed beforehand.
// Their sums are exact fractions: the order of spending does not matter, and nothing rounds.

// Pure accounting: the epsilons add up, and so do the deltas that private group keys pay.
class PureFilter {
 public:
  struct Cost {
    Epsilon epsilon;
    Delta delta;
  };
  explicit PureFilter(Cost budget) : budget_(std::move(budget)) {}

  bool CanSpend(const Cost& cost) const;
  // Spends, or says what is missing and spends nothing. The error's code is kBudgetExhausted.
  Result<Done> Spend(const Cost& cost);

  Cost Spent() const { return spent_; }
  Cost Remaining() const;
  // Never more than is left.
  double RemainingEpsilonDown() const;

 private:
  Cost budget_;
  Cost spent_;
};

// Approximate zCDP (Feldman and Zrnic 2021 for the adaptive sum; Bun and Steinke 2016 for the
// approximate part): rho adds up and delta adds up. Half of the budget's delta is kept to convert
// rho into epsilon, the other half is for thresholds.
class ZcdpFilter {
 public:
  // budget.delta > 0; a budget too small for any rho can spend nothing.
  explicit ZcdpFilter(const PureFilter::Cost& budget);

  bool CanSpend(const ZcdpCost& cost) const;
  Result<Done> Spend(const ZcdpCost& cost);

  const Rho& BudgetRho() const { return budget_rho_; }
  const Delta& ConversionDelta() const { return conversion_delta_; }
  ZcdpCost Spent() const { return spent_; }
  ZcdpCost Remaining() const;
  // The (epsilon, ConversionDelta()) that the rho left would buy by itself, rounded down.
  double RemainingEpsilonDown() const;

 private:
  Rho budget_rho_;
  Delta conversion_delta_;
  Delta threshold_delta_;
  ZcdpCost spent_;
};

}  // namespace tacit::accounting
