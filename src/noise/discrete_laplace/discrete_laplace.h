#pragma once

#include "base/result.h"
#include "noise/column_mechanism.h"
#include "noise/discrete_laplace/geometric.h"

namespace tacit::noise {

// Why 2^100: noise beyond 2^127, where an answer would stop growing, then has a chance below
// e^(-2^27).
inline constexpr int kScaleBitsMax = 100;

// Adds X with P(X = x) ~ e^(-|x| / scale), the difference of two geometric variates, to an integer
// whose L1 sensitivity between neighbours is sensitivity_l1 grid steps: epsilon = sensitivity_l1 /
// scale, pure. Several columns may share one budget: each is released by its own object with the
// joint scale.
class DiscreteLaplace final : public ColumnMechanism {
 public:
  struct Parameters {
    Integer sensitivity_l1;  // in grid steps, at least 1
    Epsilon epsilon;
  };
  static Result<DiscreteLaplace> Make(const Parameters& parameters);

  // Noise of a given scale; the sensitivity it covers is the caller's to state.
  static Result<DiscreteLaplace> WithScale(const Rational& scale,
                                           const Integer& sensitivity_l1 = 1);

  // proof: noise/discrete_laplace/proof.md#proof
  Int128 Sample(Entropy& entropy) const {
    const Int128 up = geometric_.Sample(entropy);
    const Int128 down = geometric_.Sample(entropy);
    return up - down;  // both are at least 0, so the difference fits
  }
  Integer SampleOfAnySize(Entropy& entropy) const;

  Int128 Apply(Int128 exact, Entropy& entropy) const {
    return SaturatingAdd(exact, Sample(entropy));
  }

  const Rational& scale() const { return geometric_.scale(); }
  Form Reads() const override { return Form::kNumber; }
  accounting::Event event() const override {
    return accounting::DiscreteLaplaceEvent{.sensitivity_l1 = sensitivity_l1_, .scale = scale()};
  }
  // The smallest m such that an answer is off by more than m grid steps at most once in twenty.
  Integer ErrorAt95() const override;
  std::vector<Integer> ErrorsOf(int parts) const override;
  Rational ScaleUp() const override { return scale(); }
  std::string Name() const override { return "discrete_laplace"; }
  std::string WordsFor(const std::string& scale) const override {
    return "discrete Laplace noise of scale " + scale;
  }
  std::optional<Integer> ThresholdFor(const accounting::ThresholdWish& wish) const override;
  size_t HeldBytes() const override { return sizeof *this; }

 private:
  DiscreteLaplace(Rational scale, Integer sensitivity_l1)
      : geometric_(std::move(scale)), sensitivity_l1_(std::move(sensitivity_l1)) {}

  Int128 Draw(const ExactNumber& exact, Entropy& entropy) const override {
    return Apply(std::get<Int128>(exact), entropy);
  }

  Geometric geometric_;
  Integer sensitivity_l1_;
};

}  // namespace tacit::noise
