#pragma once

#include <cstdint>
#include <vector>

#include "attack/dice.h"

namespace tacit::attack {

// A value with its 95 % interval.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// A share of successes, by Wilson's interval. 0 to 1 around 0 when there were no trials.
Estimate ShareOf(int64_t successes, int64_t trials);

// A mean, by Student's interval over the runs; a single run has no interval.
Estimate MeanOf(const std::vector<double>& runs);

// How well scores tell members from others: the share of members above the score that only one in a
// hundred others exceeds, and the chance that a member scores above another (ties count half).
// Intervals by resampling both groups.
struct Separation {
  Estimate tpr_at_1_percent;
  Estimate auc;
};
Separation SeparationOf(std::vector<double> members, std::vector<double> others, Dice dice);

}  // namespace tacit::attack
