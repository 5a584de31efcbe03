#pragma once

#include <optional>
#include <string>

#include "accounting/event.h"

namespace tacit::accounting {

// What an accountant says of many releases: an epsilon rounded up, or why it has none.
struct Bound {
  std::optional<double> epsilon;
  std::string reason;

  static Bound Of(double epsilon_up) { return {epsilon_up, ""}; }
  static Bound None(std::string why) { return {std::nullopt, std::move(why)}; }
};

// Sums. Releases without a pure epsilon share what is left of delta equally and pay their exact
// epsilon at their share.
Bound BasicEpsilonUp(const std::vector<Term>& terms, const Delta& delta);

// Dwork, Rothblum and Vadhan, with the exact mean of the loss: the sum of epsilon tanh(epsilon/2)
// plus sqrt(2 ln(1/delta') sum epsilon^2), delta' what the releases' own deltas leave.
Bound AdvancedEpsilonUp(const std::vector<Term>& terms, const Delta& delta);

// Kairouz, Oh and Viswanath: the exact composition of releases that are all (epsilon, delta)-DP
// with the same parameters.
Bound OptimalEpsilonUp(const std::vector<Term>& terms, const Delta& delta);

// Sums of rho, converted once.
Bound ZcdpBoundUp(const std::vector<Term>& terms, const Delta& delta);

// The distribution of the privacy loss, between two bounds.
struct PldBound {
  Bound upper;
  double lower = 0;
};
PldBound PldEpsilon(const std::vector<Term>& terms, const Delta& delta, Neighbours neighbours);

}  // namespace tacit::accounting
