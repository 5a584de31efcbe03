#pragma once

#include <cstddef>
#include <vector>

namespace tacit::release {

// Some kinds of people in a descent: a number for each kind and each cell, kinds side by side, so
// that all loops run along them. `first` is where each column's cells begin, with their number at
// the end.

// A step of Adam at this rate, given how many there were before.
struct KindsStep {
  float rate = 0;
  float square_scale = 1;  // what the mean of squares lacks at the beginning
};
KindsStep AdamStep(double rate, int steps_before);

// shares = what the logits mean: none negative, those of a column add up to 1 in each kind.
void SharesOfLogits(const std::vector<size_t>& first, size_t kinds, const float* logits,
                    float* shares);

// One step of Adam down the gradient of the shares: `gradient` holds it, but for what is the same
// for all kinds, which is `single`, a number a cell. `momentum` and `squares` are Adam's memory.
void StepOfLogits(const std::vector<size_t>& first, size_t kinds, const KindsStep& step,
                  const float* shares, const float* single, const float* gradient, float* momentum,
                  float* squares, float* logits);

}  // namespace tacit::release
