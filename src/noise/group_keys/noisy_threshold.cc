#include "noise/group_keys/noisy_threshold.h"

#include "accounting/threshold.h"

namespace tacit::noise {
namespace {

Result<accounting::ThresholdWish> WishOf(const NoisyThreshold::Parameters& parameters) {
  TACIT_TRY(const Delta delta, CheckedDelta(parameters.delta.value));
  if (delta.value == 0) {
    return InvalidArgument("delta must be above 0 where group keys are private",
                           "declare the keys in the policy, or allow a delta");
  }
  if (parameters.groups_per_unit < 1) return InvalidArgument("groups_per_unit must be at least 1");
  return accounting::ThresholdWish{.contribution = 1,
                                   .groups = static_cast<unsigned long>(parameters.groups_per_unit),
                                   .delta = delta};
}

}  // namespace

Result<NoisyThreshold> NoisyThreshold::WithLaplace(const Epsilon& epsilon,
                                                   const Parameters& parameters) {
  TACIT_TRY(const accounting::ThresholdWish wish, WishOf(parameters));
  TACIT_TRY(const DiscreteLaplace laplace,
            DiscreteLaplace::Make({.sensitivity_l1 = wish.groups, .epsilon = epsilon}));
  const Integer threshold = accounting::DiscreteLaplaceThreshold(laplace.scale(), wish);
  return NoisyThreshold(laplace, parameters, threshold);
}

Result<NoisyThreshold> NoisyThreshold::WithGaussian(const Rho& rho, const Parameters& parameters) {
  TACIT_TRY(const accounting::ThresholdWish wish, WishOf(parameters));
  // One unit changes groups_per_unit counts by 1 each: the L2 sensitivity squared is their number.
  TACIT_TRY(const DiscreteGaussian gaussian,
            DiscreteGaussian::Make({.sensitivity_l2_squared = wish.groups, .rho = rho}));
  const Integer threshold = accounting::DiscreteGaussianThreshold(gaussian.sigma_squared(), wish);
  return NoisyThreshold(gaussian, parameters, threshold);
}

std::optional<Int128> NoisyThreshold::Apply(uint64_t units, Entropy& entropy) const {
  const Int128 noisy = std::visit(
      [&](const auto& noise) { return noise.Apply(static_cast<Int128>(units), entropy); }, noise_);
  if (ToInteger(noisy) < threshold_) return std::nullopt;
  return noisy;
}

accounting::Event NoisyThreshold::noise_event() const {
  return std::visit([](const auto& noise) { return noise.event(); }, noise_);
}

}  // namespace tacit::noise
