#include "noise/above_threshold/above_threshold.h"

#include <algorithm>

#include "noise/error_estimate.h"

namespace tacit::noise {
namespace {

// Why 16: finer shares of epsilon change the error by less than one part in a hundred.
constexpr int kShares = 16;

struct Scales {
  Rational threshold;
  Rational number;
};
// How a given epsilon is shared: `parts` sixteenths for the threshold, the rest for the numbers.
// proof: noise/above_threshold/proof.md#proof
Scales ScalesOf(const AboveThreshold::Parameters& parameters, int parts) {
  const Rational for_threshold = parameters.epsilon.value * Rational(parts, kShares);
  const Rational for_number = parameters.epsilon.value - for_threshold;
  const Rational reach = Rational(parameters.sensitivity) * (parameters.moves_together ? 1 : 2);
  return {.threshold = Rational(Rational(parameters.sensitivity) / for_threshold),
          .number = Rational(reach / for_number)};
}

// Half of the misses are the threshold's, the other half those of all numbers: a number goes wrong
// to one side only.
Integer ErrorOf(const Scales& scales, size_t numbers) {
  return LaplaceErrorOfParts(scales.threshold, 2) + LaplaceErrorOfParts(scales.number, numbers);
}

// Why 2^120: differences stay far from the ends of the type, so that noise never stops at one.
constexpr Int128 kFarthest = Int128{1} << 120;

// number - threshold, cut to where noise still moves it: cutting never makes a change larger.
// proof: noise/above_threshold/proof.md#proof
Int128 Difference(Int128 number, Int128 threshold) {
  const Int128 low = std::max(number, -kFarthest * 2);
  const Int128 high = std::min(low, kFarthest * 2);
  const Int128 from = std::min(std::max(threshold, -kFarthest * 2), kFarthest * 2);
  return std::min(std::max(high - from, -kFarthest), kFarthest);
}

}  // namespace

// The shares with the least error, which is a function of public numbers alone.
// proof: noise/above_threshold/proof.md#proof
Result<AboveThreshold> AboveThreshold::Make(const Parameters& parameters) {
  TACIT_TRY(const Epsilon epsilon, CheckedEpsilon(parameters.epsilon.value));
  if (parameters.sensitivity < 1) {
    return InvalidArgument("the sensitivity must be at least 1, not " +
                           parameters.sensitivity.get_str());
  }
  if (parameters.numbers == 0) return InvalidArgument("there is no number to go through");
  int best = 1;
  for (int parts = 2; parts < kShares; ++parts) {
    const Integer error = ErrorOf(ScalesOf(parameters, parts), parameters.numbers);
    if (error < ErrorOf(ScalesOf(parameters, best), parameters.numbers)) best = parts;
  }
  const Scales scales = ScalesOf(parameters, best);
  TACIT_TRY(DiscreteLaplace of_threshold, DiscreteLaplace::WithScale(scales.threshold));
  TACIT_TRY(DiscreteLaplace of_number, DiscreteLaplace::WithScale(scales.number));
  return AboveThreshold(epsilon, std::move(of_threshold), std::move(of_number),
                        ErrorOf(scales, parameters.numbers));
}

// proof: noise/above_threshold/proof.md#proof
size_t AboveThreshold::Apply(const std::vector<Int128>& numbers, Int128 threshold,
                             Entropy& entropy) const {
  const Int128 moved = of_threshold_.Sample(entropy);
  size_t first = numbers.size();
  for (size_t i = 0; i < numbers.size(); ++i) {
    const Int128 noisy = of_number_.Apply(Difference(numbers[i], threshold), entropy);
    if (noisy >= moved && first == numbers.size()) first = i;
  }
  return first;
}

}  // namespace tacit::noise
