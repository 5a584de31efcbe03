#include "release/fit/kernel/kinds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "release/fit/kernel/wide.h"

namespace tacit::release {
namespace {

// Adam's usual constants.
constexpr float kMomentum = 0.9F;
constexpr float kSquares = 0.99F;
constexpr float kTiny = 1e-10F;

// Why 64: a stretch of kinds whose totals and largest values stay in registers and the nearest
// cache, while all cells of a column are gone through.
constexpr size_t kStretch = 64;

// e^x for x in [-87, 0], to a few millionths: 2^n times a polynomial around the middle, in
// operations that a compiler turns into those of many numbers at once. Below it is that of -87.
[[gnu::always_inline]] inline float ExpOf(float x) {
  constexpr float kRound = 12582912.0F;  // 1.5 x 2^23: adding it rounds to whole numbers
  x = x < -87.0F ? -87.0F : x;
  const float rounded = x * 1.44269504F + kRound;
  const float n = rounded - kRound;
  const float rest = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float sum = 1.0F / 720;
  sum = sum * rest + 1.0F / 120;
  sum = sum * rest + 1.0F / 24;
  sum = sum * rest + 1.0F / 6;
  sum = sum * rest + 0.5F;
  sum = sum * rest + 1.0F;
  sum = sum * rest + 1.0F;
  const uint32_t power = (std::bit_cast<uint32_t>(rounded) << 23) + (127U << 23);
  return sum * std::bit_cast<float>(power);
}

[[gnu::always_inline]] inline void SharesBody(const std::vector<size_t>& first, size_t kinds,
                                              const float* __restrict logits,
                                              float* __restrict shares) {
  for (size_t c = 0; c + 1 < first.size(); ++c) {
    for (size_t from = 0; from < kinds; from += kStretch) {
      const size_t size = std::min(kStretch, kinds - from);
      float most[kStretch];
      float total[kStretch];
      const float* const line = logits + first[c] * kinds + from;
      for (size_t k = 0; k < size; ++k) {
        most[k] = line[k];
        total[k] = 0;
      }
      for (size_t i = first[c] + 1; i < first[c + 1]; ++i) {
        const float* const own = logits + i * kinds + from;
        for (size_t k = 0; k < size; ++k) most[k] = most[k] < own[k] ? own[k] : most[k];
      }
      for (size_t i = first[c]; i < first[c + 1]; ++i) {
        const float* const own = logits + i * kinds + from;
        float* const share = shares + i * kinds + from;
        for (size_t k = 0; k < size; ++k) {
          const float value = ExpOf(own[k] - most[k]);
          share[k] = value;
          total[k] += value;
        }
      }
      for (size_t k = 0; k < size; ++k) total[k] = 1 / total[k];
      for (size_t i = first[c]; i < first[c + 1]; ++i) {
        float* const share = shares + i * kinds + from;
        for (size_t k = 0; k < size; ++k) share[k] *= total[k];
      }
    }
  }
}

// A share moves with the logits of its whole column: through the softmax its gradient is
// share x (gradient - mean of the column's).
[[gnu::always_inline]] inline void StepBody(const std::vector<size_t>& first, size_t kinds,
                                            const KindsStep& step, const float* __restrict shares,
                                            const float* __restrict single,
                                            const float* __restrict gradient,
                                            float* __restrict momentum, float* __restrict squares,
                                            float* __restrict logits) {
  for (size_t c = 0; c + 1 < first.size(); ++c) {
    for (size_t from = 0; from < kinds; from += kStretch) {
      const size_t size = std::min(kStretch, kinds - from);
      float mean[kStretch] = {};
      for (size_t i = first[c]; i < first[c + 1]; ++i) {
        const float* const share = shares + i * kinds + from;
        const float* const own = gradient + i * kinds + from;
        const float same = single[i];
        for (size_t k = 0; k < size; ++k) mean[k] += share[k] * (own[k] + same);
      }
      for (size_t i = first[c]; i < first[c + 1]; ++i) {
        const size_t at = i * kinds + from;
        const float same = single[i];
        const float rate = step.rate;
        const float scale = step.square_scale;
        for (size_t k = 0; k < size; ++k) {
          const float down = shares[at + k] * (gradient[at + k] + same - mean[k]);
          const float moved = kMomentum * momentum[at + k] + (1 - kMomentum) * down;
          const float square = kSquares * squares[at + k] + (1 - kSquares) * down * down;
          momentum[at + k] = moved;
          squares[at + k] = square;
          logits[at + k] -= rate * moved / (std::sqrt(square * scale) + kTiny);
        }
      }
    }
  }
}

TACIT_EIGHT void SharesOfEight(const std::vector<size_t>& first, size_t kinds, const float* logits,
                               float* shares) {
  SharesBody(first, kinds, logits, shares);
}

TACIT_EIGHT void StepOfEight(const std::vector<size_t>& first, size_t kinds, const KindsStep& step,
                             const float* shares, const float* single, const float* gradient,
                             float* momentum, float* squares, float* logits) {
  StepBody(first, kinds, step, shares, single, gradient, momentum, squares, logits);
}

}  // namespace

KindsStep AdamStep(double rate, int steps_before) {
  const auto warm = [&](float decay) {
    return 1 - static_cast<float>(std::pow(static_cast<double>(decay), steps_before + 1));
  };
  return {.rate = static_cast<float>(rate) / warm(kMomentum), .square_scale = 1 / warm(kSquares)};
}

void SharesOfLogits(const std::vector<size_t>& first, size_t kinds, const float* logits,
                    float* shares) {
  if (AddsEight()) return SharesOfEight(first, kinds, logits, shares);
  SharesBody(first, kinds, logits, shares);
}

void StepOfLogits(const std::vector<size_t>& first, size_t kinds, const KindsStep& step,
                  const float* shares, const float* single, const float* gradient, float* momentum,
                  float* squares, float* logits) {
  if (AddsEight()) {
    return StepOfEight(first, kinds, step, shares, single, gradient, momentum, squares, logits);
  }
  StepBody(first, kinds, step, shares, single, gradient, momentum, squares, logits);
}

}  // namespace tacit::release
