#include "noise/discrete_gaussian/discrete_gaussian.h"

#include <bit>

#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/error_estimate.h"

namespace tacit::noise {
namespace {

// Why 2^60: a proposal times the slope then fits 120 bits, with room for the offset beside it.
constexpr uint64_t kFastFactorMax = uint64_t{1} << 60;

// The whole number nearest to sigma, at least 1: any scale would be exact, this one keeps the most.
Rational ProposalScale(const Rational& sigma_squared) {
  // floor(2 sigma) = floor(sqrt(floor(4 sigma^2))); rounding half of it gives the nearest.
  const Integer nearest = (sqrt(FloorOf(4 * sigma_squared)) + 1) / 2;
  return Rational(nearest < 1 ? Integer(1) : nearest);
}

int LeadingZeros(UInt128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  const auto low = static_cast<uint64_t>(value);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low);
}

uint64_t HighHalf(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>(static_cast<UInt128>(a) * b >> 64);
}

}  // namespace

Result<DiscreteGaussian> DiscreteGaussian::Make(const Parameters& parameters) {
  TACIT_TRY(const Rho rho, CheckedRho(parameters.rho.value));
  if (parameters.sensitivity_l2_squared <= 0) {
    return InvalidArgument("the squared sensitivity must be above 0, not " +
                           ToString(parameters.sensitivity_l2_squared));
  }
  return WithSigmaSquared(parameters.sensitivity_l2_squared / (2 * rho.value),
                          parameters.sensitivity_l2_squared);
}

Result<DiscreteGaussian> DiscreteGaussian::WithSigmaSquared(
    const Rational& sigma_squared, const Rational& sensitivity_l2_squared) {
  if (sigma_squared <= 0 || sigma_squared > Rational(Integer(1) << (2 * kScaleBitsMax))) {
    return InvalidArgument("sigma must be above 0 and at most 2^100");
  }
  return DiscreteGaussian(sigma_squared, sensitivity_l2_squared);
}

DiscreteGaussian::DiscreteGaussian(Rational sigma_squared, Rational sensitivity_l2_squared)
    : sigma_squared_(std::move(sigma_squared)),
      sensitivity_l2_squared_(std::move(sensitivity_l2_squared)),
      proposal_(ProposalScale(sigma_squared_)) {
  // With sigma^2 = n/d and t the proposal's scale, CKS20 algorithm 3 keeps y with probability e^-x,
  // where x = (|y| - sigma^2/t)^2 / (2 sigma^2) = (|y| t d - n)^2 / (2 n d t^2).
  const Integer& n = sigma_squared_.get_num();
  const Integer& d = sigma_squared_.get_den();
  const Integer& t = proposal_.scale().get_num();
  const Integer slope = t * d;
  fast_ = slope < static_cast<unsigned long>(kFastFactorMax) &&
          t < static_cast<unsigned long>(kFastFactorMax >> 12) &&
          mpz_sizeinbase(n.get_mpz_t(), 2) < 120;
  if (!fast_) return;
  slope_ = slope.get_ui();
  offset_ = static_cast<UInt128>(SaturateToInt128(n));
  const Integer divisor = 2 * n * d * t * t;
  // 63 + size(divisor) fraction bits make the inverse a full 64-bit word.
  inverse_shift_ = static_cast<int>(mpz_sizeinbase(divisor.get_mpz_t(), 2)) + 63;
  const Integer inverse = (Integer(1) << inverse_shift_) / divisor;
  // A power of two gives 2^64, one more than fits: one less keeps the enclosure [inverse, inverse +
  // 1].
  inverse_ = inverse.fits_ulong_p() ? inverse.get_ui() : ~uint64_t{0};
}

Rational DiscreteGaussian::KeepingExponent(const Integer& magnitude) const {
  const Rational& t = proposal_.scale();
  const Rational distance = magnitude - sigma_squared_ / t;
  return distance * distance / (2 * sigma_squared_);
}

// E > exponent, from 64-bit enclosures of both; the rare case they overlap is decided exactly.
bool DiscreteGaussian::IsKept(uint64_t magnitude, Entropy& entropy) const {
  Exponential e = Exponential::Draw(entropy);
  const UInt128 along = static_cast<UInt128>(magnitude) * slope_;
  const UInt128 root = along > offset_ ? along - offset_ : offset_ - along;
  // root lies in [mantissa, mantissa + 1) * 2^(64 - zeros): its square, halved to 64 bits twice, in
  // [product, product + 8) * 2^(256 - 2 zeros - inverse_shift_). Zero has the mantissa 0 and is
  // exact.
  const int zeros = LeadingZeros(root | 1);
  const auto mantissa = static_cast<uint64_t>((root << zeros) >> 64);
  const uint64_t product = HighHalf(HighHalf(mantissa, mantissa), inverse_);
  // In units of 2^-64 the exponent is product * 2^shift.
  const int shift = 256 - 2 * zeros - inverse_shift_ + 64;
  const UInt128 have = e.FloorAt64();  // E lies in [have, have + 1) * 2^-64
  if (shift > -128 && shift < 60) {
    const UInt128 low = product;
    const UInt128 high = low + 8;
    const UInt128 least = shift >= 0 ? low << shift : low >> -shift;
    const UInt128 most = shift >= 0 ? high << shift : (high >> -shift) + 1;
    if (have >= most) return true;
    if (have + 1 <= least) return false;
  }
  return e.IsAbove(KeepingExponent(Integer(static_cast<unsigned long>(magnitude))), entropy);
}

Int128 DiscreteGaussian::Sample(Entropy& entropy) const {
  if (!fast_) return SaturateToInt128(SampleOfAnySize(entropy));
  while (true) {
    const bool negative = (entropy.NextWord() & 1) != 0;
    const Int128 magnitude = proposal_.Sample(entropy);
    if (negative && magnitude == 0) continue;  // zero would come twice
    if (magnitude >= static_cast<Int128>(kFastFactorMax)) [[unlikely]] {
      const Integer exact = ToInteger(magnitude);
      Exponential e = Exponential::Draw(entropy);
      if (e.IsAbove(KeepingExponent(exact), entropy)) return negative ? -magnitude : magnitude;
      continue;
    }
    if (IsKept(static_cast<uint64_t>(magnitude), entropy)) return negative ? -magnitude : magnitude;
  }
}

Integer DiscreteGaussian::SampleOfAnySize(Entropy& entropy) const {
  while (true) {
    const bool negative = (entropy.NextWord() & 1) != 0;
    const Integer magnitude = proposal_.SampleOfAnySize(entropy);
    if (negative && magnitude == 0) continue;
    Exponential e = Exponential::Draw(entropy);
    if (e.IsAbove(KeepingExponent(magnitude), entropy)) {
      return negative ? Integer(-magnitude) : magnitude;
    }
  }
}

Integer DiscreteGaussian::ErrorAt95() const { return GaussianErrorAt95(sigma_squared_); }

}  // namespace tacit::noise
