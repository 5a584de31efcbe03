#include "choices.h"

namespace tacit::adversary {
namespace {

// Why: far above what a query of 64 KiB takes; beyond it the generator ends everything quickly.
constexpr size_t kChoicesMax = 3000;

uint64_t Mix(uint64_t z) {  // SplitMix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Choices::Choices(uint64_t seed, uint64_t query) : state_(Mix(Mix(seed + 1) + query)) {}

Choices::Choices(std::vector<uint32_t> list) : follows_(true), list_(std::move(list)) {}

uint32_t Choices::Below(uint32_t n) {
  uint32_t choice = 0;
  if (follows_) {
    if (taken_.size() < list_.size()) choice = list_[taken_.size()] % n;
  } else if (taken_.size() < kChoicesMax) {
    choice = static_cast<uint32_t>(Mix(state_ += 0x9e3779b97f4a7c15) % n);
  }
  taken_.push_back(choice);
  return choice;
}

size_t Choices::Weighted(std::span<const int> weights) {
  int total = 0;
  for (const int weight : weights) total += weight;
  int left = static_cast<int>(Below(static_cast<uint32_t>(total)));
  for (size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return 0;
}

}  // namespace tacit::adversary
