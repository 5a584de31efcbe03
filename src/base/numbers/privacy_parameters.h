#pragma once

#include "base/numbers/rational.h"

namespace tacit {

// Numbers that must not be swapped are types. All are exact fractions; what is computed from them
// in floating point rounds up, and says so in its name.
template <class Tag>
struct PrivacyParameter {
  Rational value;

  PrivacyParameter() = default;
  explicit PrivacyParameter(Rational exact) : value(std::move(exact)) {}
  PrivacyParameter(Int128 numerator, Int128 denominator)
      : value(MakeRational(numerator, denominator)) {}

  friend bool operator==(const PrivacyParameter& a, const PrivacyParameter& b) {
    return a.value == b.value;
  }
  friend bool operator<(const PrivacyParameter& a, const PrivacyParameter& b) {
    return a.value < b.value;
  }
  friend bool operator<=(const PrivacyParameter& a, const PrivacyParameter& b) {
    return a.value <= b.value;
  }
  friend PrivacyParameter operator+(const PrivacyParameter& a, const PrivacyParameter& b) {
    return PrivacyParameter(Rational(a.value + b.value));
  }
};

using Epsilon = PrivacyParameter<struct EpsilonTag>;
using Delta = PrivacyParameter<struct DeltaTag>;
using Rho = PrivacyParameter<struct RhoTag>;

// The ranges every entry point checks: 0 < epsilon, 0 < rho, 0 <= delta < 1. The error names
// `name`.
Result<Epsilon> CheckedEpsilon(const Rational& value, std::string_view name = "epsilon");
Result<Delta> CheckedDelta(const Rational& value, std::string_view name = "delta");
Result<Rho> CheckedRho(const Rational& value, std::string_view name = "rho");

// Zero-concentrated DP of a pure one: epsilon-DP implies epsilon^2/2-zCDP.
inline Rho RhoOfPure(const Epsilon& epsilon) {
  return Rho(Rational(epsilon.value * epsilon.value / 2));
}

}  // namespace tacit
