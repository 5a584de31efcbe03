#include "noise/mode/mode.h"

#include <limits>

namespace tacit::noise {

Result<ModeSelection> ModeSelection::Make(const Parameters& parameters) {
  if (parameters.values == 0) return InvalidArgument("there is no value to choose from");
  TACIT_TRY(ExponentialMechanism mechanism,
            ExponentialMechanism::Make(
                {.spread = parameters.rows_changed, .epsilon = parameters.epsilon}));
  return ModeSelection(parameters.values, std::move(mechanism));
}

// proof: noise/mode/proof.md#proof
size_t ModeSelection::Apply(const std::vector<uint64_t>& counts, Entropy& entropy) const {
  TACIT_ASSERT(counts.size() == values_);
  std::vector<ExponentialMechanism::Candidate> candidates(counts.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    const uint64_t kept =
        std::min<uint64_t>(counts[i], static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
    candidates[i] = {.utility = static_cast<int64_t>(kept), .multiplicity = 1};
  }
  return mechanism_.Apply(candidates, entropy);
}

Integer ModeSelection::ErrorAt95() const {
  return mechanism_.UtilityLossAt95(Integer(static_cast<unsigned long>(values_)));
}

}  // namespace tacit::noise
