#pragma once

#include "selection/selection_release.h"

namespace tacit::selection {

enum class Wanted { kLargest, kSmallest };

// One of several counts or sums is chosen: about the largest, or about the smallest.
struct ChoicePlan {
  Scores scores;
  Wanted wanted = Wanted::kLargest;
  Integer margin;         // in steps: how far from the best one it may be, in 95 % of choices
  std::string mechanism;  // permute_and_flip, or exponential_mechanism under zcdp
};

Result<ChoicePlan> PlanChoice(Scores scores, Wanted wanted);

struct Chosen {
  size_t index = 0;
  ledger::Receipt receipt;
};

// One charge. The same choice again is free and the same.
Result<Chosen> Choose(const ChoicePlan& plan, const gateway::Request& asker,
                      gateway::Services& services, const std::function<void(double)>& progress);

// What it would cost this asker now.
Result<ledger::Receipt> QuoteChoice(const ChoicePlan& plan, const gateway::Request& asker,
                                    gateway::Services& services);

}  // namespace tacit::selection
