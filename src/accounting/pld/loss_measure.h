#pragma once

#include "accounting/pld/losses/losses.h"

namespace tacit::accounting::pld {

// A distribution of the loss on the grid: mass[i] at point first + i, and mass at infinity.
struct LossMeasure {
  int64_t first = 0;
  std::vector<double> mass;
  double infinity = 0;
};

// Dominates the event's losses: every delta(epsilon) computed from it is at least the true one.
LossMeasure UpperMeasure(const Losses& losses, double step);

// Is dominated by the event's losses: every delta(epsilon) computed from it is at most the true
// one.
LossMeasure LowerMeasure(const Losses& losses, double step);

}  // namespace tacit::accounting::pld
