#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace tacit::neighbours {

// A release's exact groups, as a test may see them: key -> measures.
using Groups = std::map<std::vector<engine::Value>, std::vector<engine::ExactNumber>>;

Groups ExactGroups(engine::Engine& engine, const plan::Release& release);

// In how many groups the number of units differs, and by how much at most. Groups are chosen by
// that number where no measure counts units.
struct MovedUnits {
  uint64_t groups = 0;
  uint64_t most = 0;
};
MovedUnits MeasuredUnits(engine::Engine& one, engine::Engine& other, const plan::Release& release);

// By how much each measure differs between the two, summed over all groups, in the measure's own
// unit. Quantiles count the rows that moved.
std::vector<Rational> MeasuredSensitivities(const plan::Release& release, const Groups& a,
                                            const Groups& b);

// True when no parameter of the release is made of other releases.
bool StandsAlone(const plan::Release& release);

// The same in L2, squared, in steps.
std::vector<Rational> MeasuredSquares(const plan::Release& release, const Groups& a,
                                      const Groups& b);

}  // namespace tacit::neighbours
