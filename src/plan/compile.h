#pragma once

#include <optional>

#include "analysis/facts.h"
#include "base/result.h"
#include "plan/derive/choose.h"
#include "plan/price/error_wish.h"
#include "plan/private_plan.h"
#include "policy/policy.h"

namespace tacit::plan {

// What the asker wishes; what is absent is the policy's.
struct Wish {
  std::optional<Epsilon> epsilon;
  // The smallest price whose noise stays within it in 95 %. Of numbers whose error depends on what
  // is released, the plan is a first step, and its columns say what is wished of them.
  std::optional<ErrorWish> error;
  // Where that is a first step: its price, where it is known better; at most the policy's most.
  std::optional<Epsilon> first_step = {};
  std::optional<Delta> delta;  // at most the policy's
  bool intervals = false;      // adds <column>_low and <column>_high
  // Counts, and sums of what is never below zero, are shown as zero where noise took them below.
  bool nonnegative = false;
};

// Turns what analysis proved into a plan at a price: the price asked is the price of the plan.
// Refuses what costs more than the policy's epsilon_max, and what private keys cannot be shown
// with. `made_of`: what its releases are made of instead of being drawn; the plan then says the
// errors of that, and is not to be charged for.
Result<PrivatePlan> Compile(const analysis::Facts& facts, const policy::Privacy& privacy,
                            const Wish& wish, const std::vector<Derivation>& made_of = {});

}  // namespace tacit::plan
