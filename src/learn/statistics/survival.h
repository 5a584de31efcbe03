#pragma once

#include <optional>
#include <vector>

#include "learn/statistics/chance.h"

namespace tacit::learn {

// Noisy counts of rows by the cell of their time, of those who died in it and of those who were
// last seen alive in it.
struct LifeTable {
  std::vector<double> died;
  std::vector<double> left;
  // Whether a cell is one moment, after which whoever was last seen in it left: the estimate is
  // then Kaplan and Meier's. Else they are taken to have left in its middle, as actuaries do.
  bool moments = false;
  NoiseLaw noise;  // of each count
};

// Of one cell of time, at its end.
struct SurvivalPoint {
  double at_risk = 0;  // at its beginning
  double died = 0;
  // From the first cell on that too few reach for the noise, nothing more is known; nor of the
  // last one, which holds whatever comes later, too.
  bool known = false;
  double share = 0;  // of people who outlive it
  double low = 0;    // in 95 % of cases, of each point by itself
  double high = 0;
};

// Nothing where the noise hides how many rows there are. A function of what was released and
// nothing else; statistics.md says how often the band holds.
std::optional<std::vector<SurvivalPoint>> EstimateSurvival(const LifeTable& table);

}  // namespace tacit::learn
