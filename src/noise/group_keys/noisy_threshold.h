#pragma once

#include <optional>
#include <variant>

#include "accounting/event.h"
#include "noise/discrete_gaussian/discrete_gaussian.h"
#include "noise/discrete_laplace/discrete_laplace.h"

namespace tacit::noise {

// Key and count in one release: a group is shown, with its noisy number of units, when that number
// reaches a threshold which a group that one unit alone makes up reaches with probability delta at
// most, over all the groups of that unit together. The threshold is computed from the very noise it
// stands against, so the two cannot come apart.
class NoisyThreshold {
 public:
  struct Parameters {
    uint64_t groups_per_unit =
        1;  // groups whose count one step between neighbours changes, by 1 each
    Delta delta;
  };
  // epsilon for all groups of a unit together: Laplace noise of scale groups_per_unit / epsilon.
  static Result<NoisyThreshold> WithLaplace(const Epsilon& epsilon, const Parameters& parameters);
  // rho for all groups together: Gaussian noise of sigma^2 = groups_per_unit / (2 rho).
  static Result<NoisyThreshold> WithGaussian(const Rho& rho, const Parameters& parameters);

  // The noisy number of units of a group, or nothing when the group is withheld. Groups of no units
  // do not exist and are never asked for.
  std::optional<Int128> Apply(uint64_t units, Entropy& entropy) const;

  const Integer& threshold() const { return threshold_; }
  // What the release costs: the noise, and the delta of the threshold besides.
  accounting::Event noise_event() const;
  const Delta& delta() const { return parameters_.delta; }

 private:
  using Noise = std::variant<DiscreteLaplace, DiscreteGaussian>;
  NoisyThreshold(Noise noise, Parameters parameters, Integer threshold)
      : noise_(std::move(noise)),
        parameters_(std::move(parameters)),
        threshold_(std::move(threshold)) {}

  Noise noise_;
  Parameters parameters_;
  Integer threshold_;
};

}  // namespace tacit::noise
