#pragma once

#include <cstdint>
#include <vector>

namespace tacit::local {

// The hash functions of optimal local hashing: all linear forms over a finite field of `buckets`
// elements. A value is written as a vector of digits, a seed is a vector of coefficients, and
// hash(seed, value) is their inner product. Two different values collide under exactly one seed in
// `buckets`, so the estimate is unbiased without any assumption about a hash, and counts per
// (seed, bucket) are all an estimate needs. The proof is in proof.md.
// proof: local/proof.md#claim
class HashFamily {
 public:
  // Why 256: an epsilon of 5.5 already asks for fewer, and beyond it few buckets cost next to
  // nothing.
  static constexpr uint32_t kBucketsMax = 256;
  // Why 2^24: counts of every (seed, bucket) are kept in memory, 128 MiB at most.
  static constexpr uint64_t kCellsMax = uint64_t{1} << 24;

  // Whether a field of that size is at hand (a prime, or 4, 8 or 16) and the counts fit.
  static bool Exists(uint32_t values, uint32_t buckets);

  HashFamily(uint32_t values, uint32_t buckets);

  uint32_t buckets() const { return buckets_; }
  uint32_t digits() const { return digits_; }
  uint32_t seeds() const { return seeds_; }
  uint32_t values() const { return values_; }

  uint32_t Add(uint32_t a, uint32_t b) const { return add_[a * buckets_ + b]; }
  uint32_t Multiply(uint32_t a, uint32_t b) const { return multiply_[a * buckets_ + b]; }

  uint32_t Hash(uint32_t seed, uint32_t value) const {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < digits_; ++i) {
      sum = Add(sum, Multiply(seed % buckets_, value % buckets_));
      seed /= buckets_;
      value /= buckets_;
    }
    return sum;
  }

 private:
  uint32_t values_;
  uint32_t buckets_;
  uint32_t digits_;
  uint32_t seeds_;
  std::vector<uint16_t> add_;
  std::vector<uint16_t> multiply_;
};

}  // namespace tacit::local
