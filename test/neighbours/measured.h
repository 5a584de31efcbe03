#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace tacit::neighbours {

// A group's key as it is written: two spellings of one value are two keys, because both can be told
// apart by whoever reads the answer. NULL is nothing.
using Key = std::vector<std::optional<std::string>>;

struct Group {
  uint64_t units = 0;  // where the plan asks for it
  std::vector<engine::ExactNumber> measures;
  bool operator==(const Group&) const = default;
};

// A release's exact groups, as a test may see them.
struct SeenGroups {
  std::vector<Key> order;  // as they come from the engine
  std::map<Key, Group> groups;
  bool operator==(const SeenGroups&) const = default;
};

SeenGroups Seen(const engine::ExactRelease& exact);
// Runs the release. The error is the engine's.
Result<SeenGroups> RunExactly(engine::Engine& engine, const plan::Release& release);

// By how much each measure differs between the two, summed over all groups, in the measure's own
// unit. A group on one side only counts from zero. Quantiles count the rows that moved.
std::vector<Rational> MeasuredSensitivities(const plan::Release& release, const SeenGroups& a,
                                            const SeenGroups& b);

// The same in L2, squared, in steps.
std::vector<Rational> MeasuredSquares(const plan::Release& release, const SeenGroups& a,
                                      const SeenGroups& b);

// True when no parameter of the release is made of other releases.
bool StandsAlone(const plan::Release& release);

// What one step between neighbours, which moves `people`, must not have done to the release's exact
// groups: more change than declared, another list of public keys, another order, a private group of
// more people than the step moves out of nothing. One sentence each.
std::vector<std::string> Violations(const plan::Release& release, uint64_t people,
                                    const SeenGroups& a, const SeenGroups& b);

}  // namespace tacit::neighbours
