#pragma once

#include <vector>

#include "accounting/event.h"
#include "base/result.h"
#include "noise/exponential_mechanism/race.h"

namespace tacit::noise {

// Chooses one of finitely many candidates with probability ~ multiplicity * e^(epsilon * utility /
// spread), exactly: epsilon-DP, and epsilon^2/8-zCDP by its bounded range. The number of candidates
// and their multiplicities are public; the utilities are not.
class ExponentialMechanism {
 public:
  struct Parameters {
    // How far one step between neighbours moves the difference of any two utilities; at least 1.
    // Twice what it moves a utility, where nothing better is known.
    Integer spread;
    Epsilon epsilon;
  };
  static Result<ExponentialMechanism> Make(const Parameters& parameters);

  struct Candidate {
    int64_t utility = 0;
    uint64_t multiplicity = 1;  // so many equal candidates stand behind this one
  };

  // The index of the chosen candidate. The set is not empty and no multiplicity is 0.
  size_t Apply(const std::vector<Candidate>& candidates, Entropy& entropy) const;

  accounting::Event event() const {
    return accounting::ExponentialMechanismEvent{.epsilon = epsilon_};
  }

  // epsilon / spread: the weight of a candidate is e^(rate * utility).
  const Rational& rate() const { return rate_; }

  // The chosen candidate's utility is at most this far below the best one in 95 % of choices,
  // whatever the utilities are, when `candidates` (counted with their multiplicities) compete.
  Integer UtilityLossAt95(const Integer& candidates) const;

 private:
  ExponentialMechanism(Epsilon epsilon, const Rational& rate)
      : epsilon_(std::move(epsilon)), rate_(rate), race_(rate) {}

  Epsilon epsilon_;
  Rational rate_;
  Race race_;
};

// What every caller checks before it asks for a choice.
Result<Done> CheckCandidates(const std::vector<ExponentialMechanism::Candidate>& candidates);

}  // namespace tacit::noise
