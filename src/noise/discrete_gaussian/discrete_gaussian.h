#pragma once

#include "accounting/event.h"
#include "base/result.h"
#include "noise/discrete_laplace/geometric.h"

namespace tacit::noise {

// Adds X with P(X = x) ~ e^(-x^2 / (2 sigma^2)) on the integers, for any rational sigma^2, to a
// vector of integers whose L2 sensitivity between neighbours is known (one object serves every
// coordinate): rho = sensitivity_l2^2 / (2 sigma^2) in zCDP (Canonne, Kamath, Steinke 2020).
class DiscreteGaussian {
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
  accounting::Event event() const {
    return accounting::DiscreteGaussianEvent{.sensitivity_l2_squared = sensitivity_l2_squared_,
                                             .sigma_squared = sigma_squared_};
  }
  Integer ErrorAt95() const;

 private:
  DiscreteGaussian(Rational sigma_squared, Rational sensitivity_l2_squared);

  // The exponent x of the chance e^-x with which the proposal `magnitude` is kept.
  Rational KeepingExponent(const Integer& magnitude) const;
  bool IsKept(uint64_t magnitude, Entropy& entropy) const;

  Rational sigma_squared_;
  Rational sensitivity_l2_squared_;
  Geometric proposal_;

  // For the fast decision: the exponent is (magnitude * slope - offset)^2 / divisor, and
  // 1 / divisor lies in [inverse, inverse + 1) * 2^-inverse_shift.
  bool fast_ = false;
  uint64_t slope_ = 0;
  UInt128 offset_ = 0;
  uint64_t inverse_ = 0;
  int inverse_shift_ = 0;
};

}  // namespace tacit::noise
