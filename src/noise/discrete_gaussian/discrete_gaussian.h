#pragma once

#include "base/result.h"
#include "noise/column_mechanism.h"
#include "noise/discrete_laplace/geometric.h"

namespace tacit::noise {

// Adds X with P(X = x) ~ e^(-x^2 / (2 sigma^2)) on the integers, for any rational sigma^2, to a
// vector of integers whose L2 sensitivity between neighbours is known (one object serves every
// coordinate): rho = sensitivity_l2^2 / (2 sigma^2) in zCDP (Canonne, Kamath, Steinke 2020).
class DiscreteGaussian final : public ColumnMechanism {
 public:
  struct Parameters {
    Rational sensitivity_l2_squared;  // in grid steps squared
    Rho rho;
  };
  static Result<DiscreteGaussian> Make(const Parameters& parameters);
  static Result<DiscreteGaussian> WithSigmaSquared(const Rational& sigma_squared,
                                                   const Rational& sensitivity_l2_squared = 1);

  Int128 Sample(Entropy& entropy) const;
  // The same sample from the same random words, by arbitrary-precision arithmetic throughout.
  Integer SampleOfAnySize(Entropy& entropy) const;

  Int128 Apply(Int128 exact, Entropy& entropy) const {
    return SaturatingAdd(exact, Sample(entropy));
  }

  const Rational& sigma_squared() const { return sigma_squared_; }
  Form Reads() const override { return Form::kNumber; }
  accounting::Event event() const override {
    return accounting::DiscreteGaussianEvent{.sensitivity_l2_squared = sensitivity_l2_squared_,
                                             .sigma_squared = sigma_squared_};
  }
  Integer ErrorAt95() const override;
  std::vector<Integer> ErrorsOf(int parts) const override;
  Rational ScaleUp() const override { return SquareRootUp(sigma_squared_); }
  std::string Name() const override { return "discrete_gaussian"; }
  std::string WordsFor(const std::string& scale) const override {
    return "discrete Gaussian noise of sigma " + scale;
  }
  std::optional<Integer> ThresholdFor(const accounting::ThresholdWish& wish) const override;
  size_t HeldBytes() const override { return sizeof *this; }

 private:
  DiscreteGaussian(Rational sigma_squared, Rational sensitivity_l2_squared);

  Int128 Draw(const ExactNumber& exact, Entropy& entropy) const override {
    return Apply(std::get<Int128>(exact), entropy);
  }

  // The exponent x of the chance e^-x with which the proposal `magnitude` is kept.
  Rational KeepingExponent(const Integer& magnitude) const;
  bool IsKept(uint64_t magnitude, Entropy& entropy) const;
  void PrepareFastDecision();

  Rational sigma_squared_;
  Rational sensitivity_l2_squared_;
  Geometric proposal_;

  // For the fast decision, all public: the exponent is z^2 with z = |magnitude * slope - offset| /
  // root, and 1 / root lies in [inverse, inverse + 1] * 2^-inverse_places.
  bool fast_ = false;
  uint64_t slope_ = 0;
  UInt128 offset_ = 0;
  UInt128 far_ = 0;  // a distance at which z is 32 or a little more
  int dropped_ = 0;  // low bits of a distance that do not count beside far_
  uint64_t inverse_ = 0;
  int to_58_places_ = 0;
};

}  // namespace tacit::noise
