#include "noise/group_keys/noisy_threshold.h"

namespace tacit::noise {
namespace {

Result<accounting::ThresholdWish> WishOf(const NoisyThreshold::Parameters& parameters) {
  TACIT_TRY(const Delta delta, CheckedDelta(parameters.delta.value));
  if (delta.value == 0) {
    return InvalidArgument("delta must be above 0 where group keys are private",
                           "declare the keys in the policy, or allow a delta");
  }
  if (parameters.units_moved < 1) return InvalidArgument("units_moved must be at least 1");
  if (parameters.groups < 1) return InvalidArgument("groups must be at least 1");
  return accounting::ThresholdWish{
      .contribution = parameters.units_moved, .groups = parameters.groups, .delta = delta};
}

}  // namespace

// proof: noise/group_keys/proof.md#noisythreshold
Result<NoisyThreshold> NoisyThreshold::Over(const ColumnMechanism& noise,
                                            const Parameters& parameters) {
  TACIT_TRY(const accounting::ThresholdWish wish, WishOf(parameters));
  const std::optional<Integer> threshold = noise.ThresholdFor(wish);
  if (!threshold) return InvalidArgument("there is no threshold for " + noise.Name());
  return NoisyThreshold(*threshold, wish.delta);
}

}  // namespace tacit::noise
