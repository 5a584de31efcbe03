#pragma once

#include <vector>

#include "base/numbers/privacy_parameters.h"
#include "base/result.h"
#include "noise/discrete_laplace/geometric.h"
#include "noise/exponential/exp_bounds.h"

namespace tacit::noise {

// Noise for several whole numbers at once, of which one row moves each by at most its width: for
// z in Z^d
//   P(z) ~ e^(-rate * N(z)),   N(z) = max over i of ceil(|z_i| / width_i),   rate = epsilon / rows.
// The numbers of all groups together are then epsilon-DP where a step between neighbours moves
// `rows` rows. Each number's error is less than if the price were divided among them: by 1.5 for
// two, 1.7 for three. proof.md has the claim, and how it is drawn.
class CubeNoise {
 public:
  struct Parameters {
    std::vector<Integer> widths;  // in grid steps, at least 1 each; at most kCubeColumnsMax of them
    Integer rows;                 // at least 1
    Epsilon epsilon;              // of all numbers together
  };
  static Result<CubeNoise> Make(const Parameters& parameters);

  size_t size() const { return widths_.size(); }
  const Integer& width(size_t i) const { return widths_[i]; }
  const Rational& scale() const { return geometric_.scale(); }  // rows / epsilon
  const Epsilon& epsilon() const { return epsilon_; }

  // One for each number. What does not fit 128 bits is at the end of their range.
  std::vector<Int128> Sample(Entropy& entropy) const;

 private:
  friend class CubeNoiseProbe;

  CubeNoise(const Parameters& parameters, const Rational& scale);
  size_t SampleFirst(Entropy& entropy) const;
  Integer SampleRadius(Entropy& entropy) const;

  std::vector<Integer> widths_;
  Epsilon epsilon_;
  Geometric geometric_;
  std::vector<Integer> counts_;  // h_0, ..., h_d of proof.md
  // Of counts_[j] e^(-rate j), summed from the first to each.
  std::vector<ScaledBounds> sums_;
};

// Why 32: more aggregates than a query has, and their numbers of rows are still drawn in a moment.
inline constexpr size_t kCubeColumnsMax = 32;

}  // namespace tacit::noise
