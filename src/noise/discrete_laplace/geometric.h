#pragma once

#include "noise/exponential/exponential.h"

namespace tacit::noise {

// P(x) ~ e^(-x / scale) on the integers x >= 0, for any rational scale: floor(scale * E).
class Geometric {
 public:
  // scale = numerator / denominator > 0.
  explicit Geometric(const Rational& scale);

  const Rational& scale() const { return scale_; }

  // A sample; at the end of the range if it does not fit, which no scale below 2^100 can see
  // happen.
  // proof: noise/discrete_laplace/proof.md#proof
  Int128 Sample(Entropy& entropy) const {
    if (!fast_) return SaturateToInt128(SampleOfAnySize(entropy));
    Exponential e = Exponential::Draw(entropy);
    const UInt128 product = e.FloorTimes(numerator_, entropy);
    if (product >> 64 != 0) [[unlikely]] {  // E above 2^12: chance e^-4096
      return static_cast<Int128>(product / static_cast<UInt128>(scale_.get_den().get_ui()));
    }
    return DivideByDenominator(static_cast<uint64_t>(product));
  }

  // The same sample from the same random words, by arbitrary-precision arithmetic throughout.
  Integer SampleOfAnySize(Entropy& entropy) const;

 private:
  // floor(x / denominator_) for any 64-bit x, by multiplication with ceil(2^128 / denominator_):
  // exact for 64-bit operands, and unlike a division instruction it takes the same time for all of
  // them.
  Int128 DivideByDenominator(uint64_t x) const {
    const UInt128 low = static_cast<UInt128>(static_cast<uint64_t>(inverse_)) * x;
    const UInt128 high = static_cast<UInt128>(static_cast<uint64_t>(inverse_ >> 64)) * x;
    const UInt128 quotient = (high + (low >> 64)) >> 64;
    return static_cast<Int128>(denominator_is_one_ ? UInt128{x} : quotient);
  }

  Rational scale_;
  bool fast_ = false;
  bool denominator_is_one_ = false;
  uint64_t numerator_ = 0;
  UInt128 inverse_ = 0;
};

}  // namespace tacit::noise
