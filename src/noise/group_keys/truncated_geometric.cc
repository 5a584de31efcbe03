#include "noise/group_keys/truncated_geometric.h"

#include <algorithm>
#include <optional>

#include "noise/exponential/exp_bounds.h"

namespace tacit::noise {
namespace {

// Why 32: at this price per group a group of two units is shown with all but 1e-13 of what any
// larger epsilon would give; the smaller epsilon is the stronger claim.
constexpr long kEpsilonPerGroupMax = 32;

// Why a million: 16 MB of table, and noise of that many units hides every group worth asking for.
constexpr size_t kTableMax = 1'000'000;

constexpr unsigned kScaleBits = 128;
constexpr unsigned kGrowthBits = 64;

UInt128 ToUInt128(const Integer& value) {
  return static_cast<UInt128>(Integer(value >> 64).get_ui()) << 64 |
         Integer(value & Integer(~0ul)).get_ui();
}

// The upper half of the product.
UInt128 HighProduct(UInt128 a, UInt128 b) {
  const UInt128 a_high = a >> 64, a_low = static_cast<uint64_t>(a);
  const UInt128 b_high = b >> 64, b_low = static_cast<uint64_t>(b);
  const UInt128 middle = a_high * b_low + (a_low * b_low >> 64);
  const UInt128 carried = a_low * b_high + static_cast<uint64_t>(middle);
  return a_high * b_high + (middle >> 64) + (carried >> 64);
}

// Products and quotients of chances, which are below 2^128, and e^epsilon, in 2^-64. They are those
// of Integer, without its memory: a table has tens of thousands of entries where a unit can be in
// many groups.
class Growth {
 public:
  explicit Growth(const Integer& growth)
      : growth_(ToUInt128(growth)),
        // Just below 2^192 / growth.
        inverse_(ToUInt128(
            std::min(Integer((Integer(1) << 192) / growth), Integer((Integer(1) << 128) - 1)))) {}

  // growth * chance / 2^64, rounded down; nothing from 2^128 on.
  std::optional<UInt128> Times(UInt128 chance) const {
    const UInt128 low = static_cast<uint64_t>(growth_);
    UInt128 product = low * (chance >> 64) + (low * static_cast<uint64_t>(chance) >> 64);
    UInt128 rest = 0;
    if (__builtin_mul_overflow(growth_ >> 64, chance, &rest) ||
        __builtin_add_overflow(product, rest, &product)) {
      return std::nullopt;
    }
    return product;
  }

  // chance * 2^64 / growth, rounded up.
  UInt128 DivideUp(UInt128 chance) const {
    // Less than two below the quotient, as inverse_ is at most one below its own; so what is left
    // is below 3 growth < 2^128, and may be computed without the bits above.
    UInt128 quotient = HighProduct(chance, inverse_);
    UInt128 left = (chance << 64) - quotient * growth_;
    for (; left >= growth_; left -= growth_) ++quotient;
    return quotient + (left != 0 ? 1 : 0);
  }

 private:
  UInt128 growth_;
  UInt128 inverse_;
};

}  // namespace

// proof: noise/group_keys/proof.md#truncatedgeometric
Result<TruncatedGeometric> TruncatedGeometric::Make(const Parameters& parameters) {
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(parameters.epsilon.value));
  TACIT_TRY(const Delta delta, CheckedDelta(parameters.delta.value));
  if (delta.value == 0) {
    return InvalidArgument("delta must be above 0 where group keys are private",
                           "declare the keys in the policy, or allow a delta");
  }
  if (parameters.groups_per_unit < 1) return InvalidArgument("groups_per_unit must be at least 1");
  // Basic composition over the groups of one unit: each pays its share.
  const Integer groups = static_cast<unsigned long>(parameters.groups_per_unit);
  const Rational share = std::min(Rational(epsilon.value / groups), Rational(kEpsilonPerGroupMax));
  const Integer one = Integer(1) << kScaleBits;
  const Integer step = FloorOf(delta.value / groups * one);  // [a] delta, rounded down
  const Growth growth(ExpOfPlus(share, kGrowthBits).low);    // [b] e^epsilon, down
  if (step == 0) return InvalidArgument("delta is too small: below 2^-128 per group");

  TruncatedGeometric mechanism(parameters);
  const UInt128 added = ToUInt128(step);
  // Nothing stands for 2^128, which is certainty.
  for (std::optional<UInt128> chance = 0; chance;) {
    mechanism.chances_.push_back(*chance);
    if (mechanism.chances_.size() > kTableMax) {
      return InvalidArgument("epsilon per group is too small for private keys: " + ToString(share),
                             "ask for fewer groups per unit, or declare the keys in the policy");
    }
    std::optional<UInt128> grown = growth.Times(*chance);  // [c]
    UInt128 sum = 0;
    grown =
        grown && !__builtin_add_overflow(*grown, added, &sum) ? std::optional(sum) : std::nullopt;
    UInt128 hidden = 0;  // [d], rounded up
    if (!__builtin_add_overflow(*chance, added, &sum)) hidden = growth.DivideUp(-sum);
    // 2^128 - hidden
    chance = hidden == 0 ? grown : std::min(grown.value_or(-hidden), -hidden);
  }
  return mechanism;
}

// proof: noise/group_keys/proof.md#truncatedgeometric
uint64_t TruncatedGeometric::SmallestShown(Entropy& entropy) const {
  const auto [high, low] = entropy.NextWords<2>();
  const UInt128 drawn = static_cast<UInt128>(high) << 64 | low;
  // The first entry above the drawn number; the search takes the same steps for every number.
  return static_cast<uint64_t>(std::ranges::upper_bound(chances_, drawn) - chances_.begin());
}

TruncatedGeometric::Chance TruncatedGeometric::ChanceShown(uint64_t units) const {
  if (units >= chances_.size()) return {.scaled = 0, .always = true};
  return {.scaled = chances_[units], .always = false};
}

uint64_t TruncatedGeometric::ShownAtLeastHalf() const {
  const UInt128 half = UInt128{1} << 127;
  return static_cast<uint64_t>(std::ranges::lower_bound(chances_, half) - chances_.begin());
}

}  // namespace tacit::noise
