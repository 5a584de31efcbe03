#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "learn/cells/cells.h"
#include "learn/rounds/rounds.h"

// k-means: so many centres that rows are near to. centres.md says how they are found.
namespace tacit::learn {

// What is to be found. In the rows each cell is a feature's.
struct CentreWish {
  std::vector<CellColumn> features;  // numbers and booleans, at least one
  size_t centres = 5;
  bool gaussian = false;  // which noise there will be
};

// Why 50 and 30: each of so many centres has to stand out of its own noise.
inline constexpr size_t kCentresMax = 50;
inline constexpr size_t kCentreFeaturesMax = 30;

struct Centre {
  double rows = 0;  // about: those that no other centre is nearer to
  // By feature, in its own units; a boolean's is a share of the rows.
  std::vector<double> at = {};
  // One standard deviation of what the noise of the last step did to it; empty where the centre
  // stayed because no rows near it can be told from the noise.
  std::vector<double> noise = {};
};

struct CentreFit {
  bool known = false;     // false: the rows cannot be told from the noise, and the rest is nothing
  double rows = 0;        // about
  double rows_noise = 0;  // one standard deviation, of each centre's rows
  std::vector<Centre> centres = {};  // those with the most rows first
};

// What is asked of the rows, fixed before any is read: a function of what is public.
std::vector<Round> RoundsOf(const CentreWish& wish);

// Asks these rounds, each once. Inside the mechanism.
CentreFit Train(const CentreWish& wish, Rounds& rounds);

// Distances are measured with each column divided by half of its public range, and no row is
// anywhere but in the middles of its cells.
size_t NearestCentre(const std::vector<CellColumn>& features, const CentreFit& fit,
                     const std::vector<uint16_t>& cells);

// What was found alone, as the ledger keeps it.
std::string FitText(const CentreFit& fit);

}  // namespace tacit::learn
