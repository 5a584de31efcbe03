#pragma once

#include <cstdint>
#include <vector>

namespace tacit::local {

// What a device sends: a value (rr, krr), a seed and a bucket (olh), or one bit a value (sue, oue,
// several). Of 64 values a word, the first is the highest bit, so that text reads left to right.
struct Report {
  uint32_t seed = 0;
  uint32_t value = 0;
  std::vector<uint64_t> bits = {};

  friend bool operator==(const Report&, const Report&) = default;
};

inline uint32_t WordsFor(uint32_t values) { return (values + 63) / 64; }
inline uint64_t BitOf(uint32_t value) { return uint64_t{1} << (63 - value % 64); }
// The bits of the last word that stand for a value.
inline uint64_t LastWordMask(uint32_t values) {
  return values % 64 == 0 ? ~uint64_t{0} : ~(~uint64_t{0} >> (values % 64));
}

}  // namespace tacit::local
