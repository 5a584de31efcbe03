#pragma once

#include <cstdint>

#include "local/design/hash_family.h"

// What a report is once the coins have fallen: pure functions, the same in the browser, and what
// `VerifyDesign` enumerates. Coins never depend on the answer, and every coin is thrown whatever
// the answer is, so neither time nor the number of random words tells anything of it.

namespace tacit::local {

// "1" for each of 64 lanes whose uniform 64-bit number is below the threshold. The numbers are read
// most significant bit first, one word for a bit of all lanes, and only until every lane is
// decided: about 8 words instead of 64, with the very same outcome.
// proof: local/proof.md#claim
template <class NextWord>
uint64_t BernoulliLanes(uint64_t threshold, NextWord&& next) {
  uint64_t below = 0;
  uint64_t undecided = ~uint64_t{0};
  // When the rest of the threshold is zero, no undecided number can fall below it any more.
  for (uint64_t rest = threshold; rest != 0 && undecided != 0; rest <<= 1) {
    const uint64_t bits = next();
    if (rest >> 63 != 0) {
      below |= undecided & ~bits;
      undecided &= bits;
    } else {
      undecided &= ~bits;
    }
  }
  return below;
}

struct KaryCoins {
  uint64_t coin = 0;   // below the threshold: the truth
  uint32_t other = 0;  // which of the others, uniform
};

// proof: local/proof.md#claim
inline uint32_t KaryReport(uint64_t keep, uint32_t value, const KaryCoins& coins) {
  // The others in order, with the truth left out. Without a branch: one that follows a random coin
  // costs more than the rest of the function.
  const uint32_t lie = coins.other + static_cast<uint32_t>(coins.other >= value);
  const uint32_t truth = ~(static_cast<uint32_t>(coins.coin < keep) - 1);
  return (value & truth) | (lie & ~truth);
}

struct HashedReport {
  uint32_t seed = 0;
  uint32_t bucket = 0;
};

// proof: local/proof.md#claim
inline HashedReport HashReport(const HashFamily& family, uint64_t keep, uint32_t value,
                               uint32_t seed, const KaryCoins& coins) {
  return {.seed = seed, .bucket = KaryReport(keep, family.Hash(seed, value), coins)};
}

struct BitCoins {
  uint64_t if_held = 0;  // what a lane shows when its value is held
  uint64_t if_not = 0;
};

// proof: local/proof.md#claim
inline uint64_t BitsReport(uint64_t held, const BitCoins& coins) {
  return (held & coins.if_held) | (~held & coins.if_not);
}

}  // namespace tacit::local
