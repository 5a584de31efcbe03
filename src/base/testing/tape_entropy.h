#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/secrets/entropy.h"

namespace tacit::testing {

// A fixed tape of random words, for tests only: this header belongs to no library that ships.
// Reading past the end of a finite tape ends the program, so a test knows how much was read.
class TapeEntropy final : public Entropy {
 public:
  explicit TapeEntropy(std::vector<uint64_t> tape) : tape_(std::move(tape)) {}

  size_t WordsRead() const { return read_ - (kBufferWords - next_); }

 protected:
  void Refill() override {
    TACIT_ASSERT(read_ < tape_.size());
    const size_t count = std::min<size_t>(kBufferWords, tape_.size() - read_);
    next_ = static_cast<uint32_t>(kBufferWords - count);
    std::copy_n(tape_.begin() + static_cast<std::ptrdiff_t>(read_), count, buffer_.begin() + next_);
    read_ += count;
  }

 private:
  std::vector<uint64_t> tape_;
  size_t read_ = 0;
};

// An endless, repeatable stream (SplitMix64), for statistics whose failures must be repeatable.
class SeededEntropy final : public Entropy {
 public:
  explicit SeededEntropy(uint64_t seed) : state_(seed) {}

 protected:
  void Refill() override {
    for (uint64_t& word : buffer_) {
      uint64_t z = state_ += 0x9e3779b97f4a7c15;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
    next_ = 0;
  }

 private:
  uint64_t state_;
};

}  // namespace tacit::testing
