#include "noise/mode/mode.h"

#include <algorithm>
#include <limits>

namespace tacit::noise {

Result<ModeSelection> ModeSelection::Make(const Parameters& parameters) {
  if (parameters.values == 0) return InvalidArgument("there is no value to choose from");
  const Integer& spread = parameters.rows_changed;
  const Epsilon& epsilon = parameters.epsilon;
  // Made in any case: what is no spread or no epsilon is refused in the same words.
  TACIT_TRY(ExponentialMechanism bounded,
            ExponentialMechanism::Make({.spread = spread, .epsilon = epsilon}));
  const Rational scale(1 / bounded.rate());
  if (!parameters.pure) return ModeSelection(parameters.values, scale, std::move(bounded));
  TACIT_TRY(PermuteAndFlip pure, PermuteAndFlip::Make({.spread = spread, .epsilon = epsilon}));
  return ModeSelection(parameters.values, scale, std::move(pure));
}

// proof: noise/mode/proof.md#proof
size_t ModeSelection::Apply(const std::vector<uint64_t>& counts, Entropy& entropy) const {
  TACIT_ASSERT(counts.size() == values_);
  std::vector<int64_t> kept(counts.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    kept[i] = static_cast<int64_t>(
        std::min<uint64_t>(counts[i], uint64_t{std::numeric_limits<int64_t>::max()}));
  }
  if (const auto* pure = std::get_if<PermuteAndFlip>(&choice_)) return pure->Apply(kept, entropy);
  std::vector<ExponentialMechanism::Candidate> candidates;
  for (const int64_t count : kept) candidates.push_back({.utility = count, .multiplicity = 1});
  return std::get<ExponentialMechanism>(choice_).Apply(candidates, entropy);
}

Integer ModeSelection::ErrorAt95() const {
  if (const auto* pure = std::get_if<PermuteAndFlip>(&choice_)) {
    return pure->UtilityLossAt95(values_);
  }
  return std::get<ExponentialMechanism>(choice_).UtilityLossAt95(
      Integer(static_cast<unsigned long>(values_)));
}

}  // namespace tacit::noise
