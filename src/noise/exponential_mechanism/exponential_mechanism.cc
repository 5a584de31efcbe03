#include "noise/exponential_mechanism/exponential_mechanism.h"

#include <algorithm>

#include "noise/error_estimate.h"

namespace tacit::noise {

Result<ExponentialMechanism> ExponentialMechanism::Make(const Parameters& parameters) {
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(parameters.epsilon.value));
  if (parameters.spread < 1) {
    return InvalidArgument("the spread of utilities must be at least 1, not " +
                           parameters.spread.get_str());
  }
  return ExponentialMechanism(epsilon, epsilon.value / parameters.spread);
}

Result<Done> CheckCandidates(const std::vector<ExponentialMechanism::Candidate>& candidates) {
  if (candidates.empty()) return InvalidArgument("there is no candidate to choose from");
  for (const auto& candidate : candidates) {
    if (candidate.multiplicity == 0) {
      return InvalidArgument("a candidate's multiplicity must be at least 1, not 0");
    }
  }
  return Done{};
}

// proof: noise/exponential_mechanism/proof.md#proof
size_t ExponentialMechanism::Apply(const std::vector<Candidate>& candidates,
                                   Entropy& entropy) const {
  TACIT_ASSERT(CheckCandidates(candidates).ok());
  int64_t best = candidates.front().utility;
  for (const Candidate& candidate : candidates) best = std::max(best, candidate.utility);
  std::vector<Runner> runners;
  runners.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    // The difference of two 64-bit utilities always fits unsigned.
    runners.push_back(
        {.handicap = static_cast<uint64_t>(best) - static_cast<uint64_t>(candidate.utility),
         .multiplicity = candidate.multiplicity});
  }
  return race_.Winner(runners, entropy);
}

Integer ExponentialMechanism::UtilityLossAt95(const Integer& candidates) const {
  return ExponentialChoiceErrorAt95(rate_, candidates);
}

}  // namespace tacit::noise
