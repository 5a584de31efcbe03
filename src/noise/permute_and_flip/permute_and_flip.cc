#include "noise/permute_and_flip/permute_and_flip.h"

#include <algorithm>

#include "noise/error_estimate.h"

namespace tacit::noise {

// A candidate on its way: how far its utility is from the best, and what it drew.
struct PermuteAndFlip::Drawn {
  uint64_t handicap;
  Exponential head_start;
};

Result<PermuteAndFlip> PermuteAndFlip::Make(const Parameters& parameters) {
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(parameters.epsilon.value));
  if (parameters.spread < 1) {
    return InvalidArgument("the spread of utilities must be at least 1, not " +
                           parameters.spread.get_str());
  }
  return PermuteAndFlip(epsilon, Rational(epsilon.value / parameters.spread));
}

// one.head_start - rate * one.handicap > other.head_start - rate * other.handicap, exactly: bits
// are drawn until the two are told apart.
// proof: noise/permute_and_flip/proof.md#proof
bool PermuteAndFlip::IsAhead(Drawn& one, Drawn& other, Entropy& entropy) const {
  const Integer further = Integer(static_cast<unsigned long>(one.handicap)) -
                          Integer(static_cast<unsigned long>(other.handicap));
  const Rational lead = rate_ * further;  // what the one has to be ahead by
  for (size_t words = 2;; ++words) {
    const Integer difference =
        one.head_start.FloorAt(words, entropy) - other.head_start.FloorAt(words, entropy);
    const Integer wanted = lead.get_num() << (64 * words);
    // The true difference lies within one unit of this one, on either side.
    if ((difference - 1) * lead.get_den() >= wanted) return true;
    if ((difference + 1) * lead.get_den() <= wanted) return false;
  }
}

// proof: noise/permute_and_flip/proof.md#proof
size_t PermuteAndFlip::Apply(const std::vector<int64_t>& utilities, Entropy& entropy) const {
  TACIT_ASSERT(!utilities.empty());
  const int64_t best = *std::max_element(utilities.begin(), utilities.end());
  std::vector<Drawn> drawn;
  drawn.reserve(utilities.size());
  for (const int64_t utility : utilities) {
    // The difference of two 64-bit utilities always fits unsigned.
    drawn.push_back({.handicap = static_cast<uint64_t>(best) - static_cast<uint64_t>(utility),
                     .head_start = Exponential::Draw(entropy)});
  }
  size_t winner = 0;
  for (size_t i = 1; i < drawn.size(); ++i) {
    if (IsAhead(drawn[i], drawn[winner], entropy)) winner = i;
  }
  return winner;
}

// A candidate that is m worse wins only if it draws more than m rate above what the best one draws:
// e^(-m rate) / 2, for each of the others.
// proof: noise/permute_and_flip/proof.md#proof
Integer PermuteAndFlip::UtilityLossAt95(size_t candidates) const {
  if (candidates < 2) return 0;
  const auto halves = static_cast<unsigned long>(candidates / 2);
  return ExponentialChoiceErrorAt95(rate_, Integer(halves));
}

}  // namespace tacit::noise
