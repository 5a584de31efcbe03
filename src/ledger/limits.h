#pragma once

#include <optional>
#include <string>

#include "base/numbers/rational.h"
#include "base/result.h"

// What a charge costs and what it is held against. Everything is exact; sums are fractions.

namespace tacit::ledger {

// pure: epsilons and deltas add up. zcdp: rhos and the deltas that thresholds pay add up; half of
// the budget's delta is kept for the conversion from rho, half is for thresholds.
enum class Accounting { kPure, kZcdp };

struct Cost {
  Rational epsilon;
  Rational delta;
  Rational rho;

  bool IsZero() const { return epsilon == 0 && delta == 0 && rho == 0; }
  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost operator+(const Cost& a, const Cost& b);

// As the policy writes it.
struct Budget {
  Rational epsilon;
  Rational delta;
  friend bool operator==(const Budget&, const Budget&) = default;
};

struct Limits {
  Accounting accounting = Accounting::kPure;
  Budget dataset;
  std::optional<Budget> analyst;  // nothing: the analyst has no limit of its own
};

// The most that may be spent under a budget, in the terms the accounting adds up: epsilon and
// delta under pure, rho and delta under zcdp (the third number is zero and means nothing).
// kInvalidArgument for a budget that cannot work, such as zcdp without delta.
Result<Cost> CapacityOf(Accounting accounting, const Budget& budget);

// Does it fit exactly, in the terms of the accounting?
bool Fits(Accounting accounting, const Cost& spent, const Cost& capacity);

struct Balance {
  Cost spent;
  std::optional<Cost> left;  // never below zero; nothing when there is no limit
};

Balance BalanceUnder(Accounting accounting, const Cost& spent, const std::optional<Cost>& capacity);

}  // namespace tacit::ledger
