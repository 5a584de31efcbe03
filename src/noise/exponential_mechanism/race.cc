#include "noise/exponential_mechanism/race.h"

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "accounting/interval/mpfr_number.h"
#include "noise/exponential/exp_bounds.h"

namespace tacit::noise {
namespace {

int LogOfTwo(mpfr_ptr x, mpfr_rnd_t direction) { return mpfr_const_log2(x, direction); }

// floor(x * 2^bits) of a positive constant, by MPFR.
Integer ScaledConstant(int (*set)(mpfr_ptr, mpfr_rnd_t), unsigned bits) {
  accounting::MpfrNumber x(bits + 64);
  set(x.get(), MPFR_RNDD);
  mpfr_mul_2ui(x.get(), x.get(), bits, MPFR_RNDD);
  Integer result;
  mpfr_get_z(result.get_mpz_t(), x.get(), MPFR_RNDD);
  return result;
}

Rational ScaledByPowerOfTwo(const Rational& x, long exponent) {
  const Integer power = Integer(1) << static_cast<unsigned long>(std::labs(exponent));
  return exponent >= 0 ? Rational(x * power) : Rational(x / power);
}

// Why 20: 0.7^21 / 21! is below 2^-76.
constexpr size_t kTaylorTerms = 20;

struct Constants {
  uint64_t ln2 = ScaledConstant(LogOfTwo, 64).get_ui();
  std::array<uint64_t, kTaylorTerms + 1> reciprocal{};  // floor(2^64 / n)

  Constants() {
    for (size_t n = 2; n <= kTaylorTerms; ++n) reciprocal[n] = ~uint64_t{0} / n;
  }
};

const Constants& TheConstants() {
  static const Constants constants;
  return constants;
}

// 2^f * 2^63 for f = fraction * 2^-64 in [0, 1), too small by fewer than 64 units; the steps are
// the same for every f.
uint64_t PowerOfTwo(uint64_t fraction) {
  const Constants& constants = TheConstants();
  const uint64_t x = HighHalf(fraction, constants.ln2);  // f ln 2, below 0.7
  // e^x - 1 by Horner: x (1 + x/2 (1 + x/3 (...))); the sums stay below 2, kept in units of 2^-63.
  uint64_t sum = uint64_t{1} << 63;
  for (size_t n = kTaylorTerms; n >= 2; --n) {
    sum = (uint64_t{1} << 63) + HighHalf(HighHalf(x, constants.reciprocal[n]), sum);
  }
  return (uint64_t{1} << 63) + HighHalf(x, sum);
}

// Arrivals later than e^(2^60) are not told apart by their enclosures, only from the others.
constexpr UInt128 kBeyond = UInt128{1} << 124;

struct Normalised {
  uint64_t mantissa;  // 2^63 <= mantissa < 2^64
  int exponent;       // the value is mantissa * 2^exponent, or up to one unit more
};

Normalised Normalise(UInt128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  const int zeros =
      high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<uint64_t>(value) | 1);
  return {.mantissa = static_cast<uint64_t>((value << zeros) >> 64), .exponent = 64 - zeros};
}

}  // namespace

Race::Race(const Rational& rate) : rate_(rate) {
  TACIT_ASSERT(rate > 0);
  // log2(e) = 1 / ln 2, rounded down, with bits to spare: only its first 128 matter.
  const Integer ln2 = ScaledConstant(LogOfTwo, 256) + 1;
  const Rational rate_log2_e = rate * Fraction(Integer(1) << 256, ln2);
  const auto numerator_bits = static_cast<long>(mpz_sizeinbase(rate_log2_e.get_num_mpz_t(), 2));
  const auto denominator_bits = static_cast<long>(mpz_sizeinbase(rate_log2_e.get_den_mpz_t(), 2));
  rate_places_ = 128 - (numerator_bits - denominator_bits);
  Integer mantissa = FloorOf(ScaledByPowerOfTwo(rate_log2_e, rate_places_));
  if (mpz_sizeinbase(mantissa.get_mpz_t(), 2) > 128) {
    --rate_places_;
    mantissa >>= 1;
  }
  rate_mantissa_ = static_cast<UInt128>(Integer(mantissa >> 64).get_ui()) << 64 |
                   Integer(mantissa & Integer(~0ul)).get_ui();
}

// handicap * rate * log2(e) in units of 2^-64, rounded down by less than two units, or kBeyond for
// all that is larger than the range.
UInt128 Race::Exponent(uint64_t handicap) const {
  // The 192-bit product of handicap and mantissa is upper * 2^64 + lower.
  const UInt128 low = static_cast<UInt128>(static_cast<uint64_t>(rate_mantissa_)) * handicap;
  const UInt128 high = static_cast<UInt128>(static_cast<uint64_t>(rate_mantissa_ >> 64)) * handicap;
  const UInt128 upper = high + (low >> 64);
  const auto lower = static_cast<uint64_t>(low);
  // upper alone has the places rate_places_ - 64; 64 are wanted. The shift is public.
  const long shift = rate_places_ - 128;
  if (shift >= 128) return 0;
  if (shift >= 0) return std::min(upper >> shift, kBeyond);
  if (shift <= -124) return handicap == 0 ? 0 : kBeyond;
  const UInt128 wide_lower = static_cast<UInt128>(lower) << 64 >> (64 + 64 - std::min(-shift, 64L))
                                                                      << std::max(-shift - 64, 0L);
  return upper >> (124 + shift) != 0 ? kBeyond : (upper << -shift) + wide_lower;
}

// proof: noise/exponential_mechanism/proof.md#proof
Int128 Race::ArrivalImage(const Exponential& e, const Runner& runner) const {
  const UInt128 exponent = Exponent(runner.handicap);
  const Exponential::Leading leading = e.LeadingBits();
  const Normalised drawn = Normalise(leading.bits);
  const Normalised multiplicity = Normalise(runner.multiplicity);
  // floor((2^127 - 1) / multiplicity): a full 64-bit word.
  const auto inverse = static_cast<uint64_t>((~UInt128{0} >> 1) / multiplicity.mantissa);
  const uint64_t power = PowerOfTwo(static_cast<uint64_t>(exponent));
  const uint64_t product = HighHalf(HighHalf(drawn.mantissa, power), inverse);  // at least 2^60
  const int zeros = std::countl_zero(product | 1);
  const uint64_t below_leading_one = (product << zeros) & (~uint64_t{0} >> 1);
  const Int128 power_of_two = static_cast<Int128>(exponent >> 64) + drawn.exponent -
                              leading.places - multiplicity.exponent - zeros;
  return power_of_two * (Int128{1} << 63) + static_cast<Int128>(below_leading_one);
}

// a * e^(rate * (handicap_a - handicap_b)) / multiplicity_a < b / multiplicity_b, exactly. The
// caller orders the two so that the exponent is not negative.
// proof: noise/exponential_mechanism/proof.md#proof
bool Race::ArrivesBefore(Exponential& a, const Runner& runner_a, Exponential& b,
                         const Runner& runner_b, Entropy& entropy) const {
  TACIT_ASSERT(runner_a.handicap >= runner_b.handicap);
  const Integer difference = static_cast<unsigned long>(runner_a.handicap - runner_b.handicap);
  const Rational exponent = rate_ * difference;
  const Integer weight_a = static_cast<unsigned long>(runner_b.multiplicity);
  const Integer weight_b = static_cast<unsigned long>(runner_a.multiplicity);
  for (size_t words = 2;; ++words) {
    const auto bits = static_cast<unsigned>(64 * words);
    // Mostly a small part of a large exponent decides already, at a small price.
    const Rational cap(std::min(kExpArgumentMax, 64L << std::min<size_t>(words, 14)));
    const Rational capped = std::min(exponent, cap);
    const ScaledBounds growth = ExpOfPlus(capped, bits);
    const Integer least_a = a.FloorAt(words, entropy) * weight_a * growth.low;
    const Integer most_b = ((b.FloorAt(words, entropy) + 1) * weight_b) << bits;
    if (least_a >= most_b) return false;
    if (capped < exponent) continue;  // nothing is known from above yet
    const Integer most_a = (a.FloorAt(words, entropy) + 1) * weight_a * growth.high;
    const Integer least_b = (b.FloorAt(words, entropy) * weight_b) << bits;
    if (most_a <= least_b) return true;
  }
}

// proof: noise/exponential_mechanism/proof.md#proof
size_t Race::Winner(std::span<const Runner> runners, Entropy& entropy) const {
  TACIT_ASSERT(!runners.empty());
  std::vector<Exponential> drawn;
  drawn.reserve(runners.size());
  for (size_t i = 0; i < runners.size(); ++i) drawn.push_back(Exponential::Draw(entropy));

  std::vector<Int128> images(runners.size());
  Int128 first = kInt128Max;
  for (size_t i = 0; i < runners.size(); ++i) {
    // Below 2^-64 too few bits of E are known for an enclosure: such a runner is always told apart.
    // A runner beyond the range has a lower bound only, which nobody else can be measured by.
    const bool tiny = drawn[i].LeadingBits().bits >> 64 == 0;
    const bool beyond = Exponent(runners[i].handicap) == kBeyond;
    const Int128 image = ArrivalImage(drawn[i], runners[i]);
    images[i] = tiny ? kInt128Min : image;
    first = tiny || beyond ? first : std::min(first, image);
  }
  size_t winner = runners.size();
  for (size_t i = 0; i < runners.size(); ++i) {
    if (first < kInt128Max && images[i] > first + kImageSlack) continue;
    if (winner == runners.size()) {
      winner = i;
      continue;
    }
    const bool i_is_later = runners[i].handicap >= runners[winner].handicap;
    const bool i_first =
        i_is_later ? ArrivesBefore(drawn[i], runners[i], drawn[winner], runners[winner], entropy)
                   : !ArrivesBefore(drawn[winner], runners[winner], drawn[i], runners[i], entropy);
    if (i_first) winner = i;
  }
  return winner;
}

}  // namespace tacit::noise
