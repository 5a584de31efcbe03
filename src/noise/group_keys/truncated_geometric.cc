#include "noise/group_keys/truncated_geometric.h"

#include <algorithm>

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

}  // namespace

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
  const Integer growth = ExpOfPlus(share, kGrowthBits).low;  // [b] e^epsilon, down
  if (step == 0) return InvalidArgument("delta is too small: below 2^-128 per group");

  TruncatedGeometric mechanism(parameters);
  for (Integer chance = 0; chance < one;) {
    mechanism.chances_.push_back(ToUInt128(chance));
    if (mechanism.chances_.size() > kTableMax) {
      return InvalidArgument("epsilon per group is too small for private keys: " + ToString(share),
                             "ask for fewer groups per unit, or declare the keys in the policy");
    }
    const Integer grown = ((growth * chance) >> kGrowthBits) + step;  // [c]
    Integer hidden;                                                   // [d], rounded up
    const Integer left = (one - chance - step) << kGrowthBits;
    mpz_cdiv_q(hidden.get_mpz_t(), left.get_mpz_t(), growth.get_mpz_t());
    chance = std::min(grown, Integer(one - std::max(hidden, Integer(0))));
  }
  return mechanism;
}

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
