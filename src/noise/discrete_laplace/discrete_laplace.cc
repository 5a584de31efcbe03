#include "noise/discrete_laplace/discrete_laplace.h"

#include "noise/error_estimate.h"

namespace tacit::noise {

Result<DiscreteLaplace> DiscreteLaplace::Make(const Parameters& parameters) {
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(parameters.epsilon.value));
  if (parameters.sensitivity_l1 < 1) {
    return InvalidArgument("the sensitivity must be at least 1 grid step, not " +
                           parameters.sensitivity_l1.get_str());
  }
  return WithScale(parameters.sensitivity_l1 / epsilon.value, parameters.sensitivity_l1);
}

Result<DiscreteLaplace> DiscreteLaplace::WithScale(const Rational& scale,
                                                   const Integer& sensitivity_l1) {
  if (scale <= 0 || scale > Rational(Integer(1) << kScaleBitsMax)) {
    return InvalidArgument("the scale must be above 0 and at most 2^100, not " + ToString(scale));
  }
  return DiscreteLaplace(scale, sensitivity_l1);
}

Integer DiscreteLaplace::SampleOfAnySize(Entropy& entropy) const {
  const Integer up = geometric_.SampleOfAnySize(entropy);
  const Integer down = geometric_.SampleOfAnySize(entropy);
  return up - down;
}

Integer DiscreteLaplace::ErrorAt95() const { return LaplaceErrorAt95(scale()); }

std::vector<Integer> DiscreteLaplace::ErrorsOf(int parts) const {
  return LaplaceErrors(scale(), parts);
}

std::optional<Integer> DiscreteLaplace::ThresholdFor(const accounting::ThresholdWish& wish) const {
  return accounting::DiscreteLaplaceThreshold(scale(), wish);
}

}  // namespace tacit::noise
