#pragma once

#include "selection/selection_release.h"

namespace tacit::selection {

// Many counts or sums are looked at for the price of one alarm.
struct WatchPlan {
  Scores scores;
  Int128 threshold = 0;  // in steps
  Integer margin;        // in steps, in 95 % of watches
};

// `threshold` is in the questions' own unit.
Result<WatchPlan> PlanWatch(Scores scores, const Rational& threshold);

struct Watched {
  std::optional<size_t> alarm;  // the first question that reached the threshold; none did
  ledger::Receipt receipt;
};

// One charge, spent whether there is an alarm or none. The same watch again is free and the same.
Result<Watched> Watch(const WatchPlan& plan, const gateway::Request& asker,
                      gateway::Services& services, const std::function<void(double)>& progress);

// What it would cost this asker now.
Result<ledger::Receipt> QuoteWatch(const WatchPlan& plan, const gateway::Request& asker,
                                   gateway::Services& services);

}  // namespace tacit::selection
