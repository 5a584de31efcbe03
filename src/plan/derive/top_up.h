#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/secrets/entropy.h"
#include "plan/private_plan.h"

// A question is asked again for a smaller error. What was paid for its first answer has bought a
// number with Gaussian noise; a second draw with the noise that the missing rho buys, and both
// weighed together, are as good as a new answer at the whole price (top_up.md).

namespace tacit::plan {

// What is drawn, and what becomes of it.
struct TopUp {
  // The asked table, with the noise that what is missing buys, under a name of its own: what is
  // drawn to go with one stored answer goes with no other.
  Release draw;
  std::vector<uint64_t> weights;  // of each drawn number, in parts of kWeightParts
  // Of both together, as a Release has them; none is above the asked one.
  std::vector<Rational> scales;
};

// Why 2^32: the variance is the least one but for a part in 2^64.
inline constexpr uint64_t kWeightParts = uint64_t{1} << 32;

// Whether a stored answer to the same question could be made as fine as `asked`: numbers with
// Gaussian noise alone, and groups that are all shown.
bool CanBeToppedUp(const Release& asked);

// What is missing beside a stored answer to the same question of these scales, that `paid` names.
// Nothing where that would cost as much as a new answer: one of the numbers is fine enough already,
// or nearly so, or its noise is so narrow that rounding the two to one whole number would count. No
// measure is drawn for less than `least`.
// proof: plan/derive/top_up.md#claim
std::optional<TopUp> TopUpOf(const Release& asked, const std::vector<Rational>& paid_scales,
                             const std::string& paid, const Rho& least);

// The two numbers weighed together, rounded up or down by chance so that nothing is lost on
// average.
// proof: plan/derive/top_up.md#rounding
Int128 Together(Int128 paid, Int128 drawn, uint64_t weight, Entropy& entropy);

}  // namespace tacit::plan
