#include "noise/discrete_laplace/geometric.h"

namespace tacit::noise {
namespace {

// Why 2^52: times the 2^12 below which E stays (but for e^-4096), the product fits 64 bits.
constexpr uint64_t kFastNumeratorMax = uint64_t{1} << 52;

}  // namespace

Geometric::Geometric(const Rational& scale) : scale_(scale) {
  TACIT_ASSERT(scale > 0);
  const Integer& numerator = scale_.get_num();
  const Integer& denominator = scale_.get_den();
  fast_ = numerator < static_cast<unsigned long>(kFastNumeratorMax) && denominator.fits_ulong_p();
  if (!fast_) return;
  numerator_ = numerator.get_ui();
  denominator_is_one_ = denominator == 1;
  // ceil(2^128 / d) does not fit for d = 1, which needs no division.
  if (!denominator_is_one_) inverse_ = ~UInt128{0} / denominator.get_ui() + 1;
}

Integer Geometric::SampleOfAnySize(Entropy& entropy) const {
  Exponential e = Exponential::Draw(entropy);
  return e.FloorTimes(scale_.get_num(), entropy) / scale_.get_den();
}

}  // namespace tacit::noise
