#pragma once

#include <optional>
#include <vector>

#include "attack/dice.h"
#include "attack/membership/membership.h"

namespace tacit::attack {

struct Scores {
  std::vector<double> members;
  std::vector<double> others;
};

// What the defended releases cost: (1, 1e-9) by zCDP, rounded down on the way to the noise.
inline constexpr double kMembershipEpsilon = 1;
inline constexpr double kMembershipDelta = 1e-9;

// The most that anyone can get at a false positive rate of 1 % from an (epsilon, delta) release.
double TprBoundUp();

// People with d independent bits, bit j set with a chance p_j drawn from [.05, .95]; the means of a
// group of n are published, exactly or with the discrete Gaussian of src/noise.
struct BitsExperiment {
  uint32_t people = 100;
  uint32_t attributes = 1000;
  int worlds = 5;
  bool noisy = false;
};
Result<Scores> ScoreBits(const BitsExperiment& experiment, const Dice& dice);

// The owner's people, each the list of values and pairs of values that are true of them.
struct AttributeLists {
  uint32_t attributes = 0;
  uint32_t per_person = 0;  // how many tables a person is counted in
  std::vector<std::vector<uint32_t>> people;
};
AttributeLists ListAttributes(const OwnersRows& owners);

// Random groups of n whose one- and two-way tables are published.
struct GroupExperiment {
  uint32_t people = 100;
  int worlds = 5;
  bool noisy = false;
};
Result<Scores> ScoreGroups(const AttributeLists& lists, const GroupExperiment& experiment,
                           const Dice& dice);

}  // namespace tacit::attack
