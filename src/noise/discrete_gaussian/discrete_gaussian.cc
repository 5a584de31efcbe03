#include "noise/discrete_gaussian/discrete_gaussian.h"

#include <algorithm>

#include "noise/discrete_laplace/discrete_laplace.h"
#include "noise/error_estimate.h"

namespace tacit::noise {
namespace {

// Why 2^60: a proposal times the slope then fits 120 bits, with room for the offset beside it.
constexpr uint64_t kFastFactorMax = uint64_t{1} << 60;

// The whole number nearest to sigma, at least 1: any scale would be exact, this one keeps the most.
Rational ProposalScale(const Rational& sigma_squared) {
  // floor(2 sigma) = floor(sqrt(floor(4 sigma^2))); rounding half of it gives the nearest.
  const Integer four_times = (sigma_squared.get_num() << 2) / sigma_squared.get_den();
  const Integer nearest = (sqrt(four_times) + 1) >> 1;
  return Rational(nearest < 1 ? Integer(1) : nearest);
}

int BitLength(const Integer& value) {
  return static_cast<int>(mpz_sizeinbase(value.get_mpz_t(), 2));
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
  PrepareFastDecision();
}

// With sigma^2 = n/d and t the proposal's scale, CKS20 algorithm 3 keeps y with probability e^-x,
// where x = (|y| - sigma^2/t)^2 / (2 sigma^2) = (|y| t d - n)^2 / (2 n d t^2).
// proof: noise/discrete_gaussian/proof.md#proof
void DiscreteGaussian::PrepareFastDecision() {
  const Integer& n = sigma_squared_.get_num();
  const Integer& d = sigma_squared_.get_den();
  const Integer& t = proposal_.scale().get_num();
  const Integer slope = t * d;
  fast_ = slope < static_cast<unsigned long>(kFastFactorMax) &&
          t < static_cast<unsigned long>(kFastFactorMax >> 12) && BitLength(n) < 112;
  if (!fast_) return;
  slope_ = slope.get_ui();
  offset_ = static_cast<UInt128>(SaturateToInt128(n));
  // root = sqrt(2 n d) t, taken with 72 places more: it lies in [scaled, scaled + 1) * 2^-72.
  constexpr int kMore = 72;
  const Integer square = (n * slope * t) << 1;
  const Integer scaled = sqrt(Integer(square << (2 * kMore)));
  const int places = (BitLength(square) + 1) / 2 + 63;
  const Integer inverse = (Integer(1) << static_cast<mp_bitcnt_t>(places + kMore)) / (scaled + 1);
  inverse_ = inverse.fits_ulong_p() ? inverse.get_ui() : ~uint64_t{0};
  const Integer far = ((scaled >> kMore) + 1) << 5;
  far_ = static_cast<UInt128>(SaturateToInt128(far));
  dropped_ = std::max(0, BitLength(far) - 64);
  to_58_places_ = places - dropped_ - 58;
}

Rational DiscreteGaussian::KeepingExponent(const Integer& magnitude) const {
  const Rational& t = proposal_.scale();
  const Rational distance = magnitude - sigma_squared_ / t;
  return distance * distance / (2 * sigma_squared_);
}

// E > z^2, from enclosures of both; the rare case they overlap is decided exactly. No branch and no
// shift depends on the magnitude: proof.md, "Time".
// proof: noise/discrete_gaussian/proof.md#proof
bool DiscreteGaussian::IsKept(uint64_t magnitude, Entropy& entropy) const {
  Exponential e = Exponential::Draw(entropy);
  const UInt128 difference = static_cast<UInt128>(magnitude) * slope_ - offset_;
  const UInt128 sign = UInt128{0} - (difference >> 127);
  const UInt128 distance = (difference ^ sign) - sign;
  const bool is_far = distance >= far_;
  const auto counted = static_cast<uint64_t>((is_far ? far_ : distance) >> dropped_);
  // z lies in [z58, z58 + 10) * 2^-58, or beyond when it is far.
  const auto z58 = static_cast<uint64_t>(static_cast<UInt128>(counted) * inverse_ >> to_58_places_);
  const UInt128 least = static_cast<UInt128>(z58) * z58 >> 52;
  const UInt128 most = (static_cast<UInt128>(z58 + 10) * (z58 + 10) >> 52) + 1;
  const UInt128 have = e.FloorAt64();  // E lies in [have, have + 1) * 2^-64
  if (have >= most && !is_far) return true;
  if (have + 1 <= least) return false;
  return e.IsAbove(KeepingExponent(Integer(static_cast<unsigned long>(magnitude))), entropy);
}

// proof: noise/discrete_gaussian/proof.md#proof
Int128 DiscreteGaussian::Sample(Entropy& entropy) const {
  if (!fast_) return SaturateToInt128(SampleOfAnySize(entropy));
  while (true) {
    const bool negative = (entropy.NextWord() & 1) != 0;
    const Int128 magnitude = proposal_.Sample(entropy);
    const bool zero_again = negative & (magnitude == 0);  // zero must not come twice
    bool kept = false;
    if (magnitude < static_cast<Int128>(kFastFactorMax)) [[likely]] {
      kept = IsKept(static_cast<uint64_t>(magnitude), entropy);
    } else {
      Exponential e = Exponential::Draw(entropy);
      kept = e.IsAbove(KeepingExponent(ToInteger(magnitude)), entropy);
    }
    if (kept & !zero_again) return negative ? -magnitude : magnitude;
  }
}

Integer DiscreteGaussian::SampleOfAnySize(Entropy& entropy) const {
  while (true) {
    const bool negative = (entropy.NextWord() & 1) != 0;
    const Integer magnitude = proposal_.SampleOfAnySize(entropy);
    Exponential e = Exponential::Draw(entropy);
    const bool kept = e.IsAbove(KeepingExponent(magnitude), entropy);
    if (kept && !(negative && magnitude == 0)) return negative ? Integer(-magnitude) : magnitude;
  }
}

Integer DiscreteGaussian::ErrorAt95() const { return GaussianErrorAt95(sigma_squared_); }

std::vector<Integer> DiscreteGaussian::ErrorsOf(int parts) const {
  return GaussianErrors(sigma_squared_, parts);
}

std::optional<Integer> DiscreteGaussian::ThresholdFor(const accounting::ThresholdWish& wish) const {
  return accounting::DiscreteGaussianThreshold(sigma_squared_, wish);
}

}  // namespace tacit::noise
