#pragma once

#include "base/assert.h"
#include "base/entropy.h"
#include "base/int128.h"

namespace tacit::local {

// An exactly uniform integer in [0, bound): the high half of word times bound. The words that would
// favour some results, 2^64 mod bound of them, are drawn again (Lemire 2019).
inline uint32_t UniformBelow(uint32_t bound, Entropy& entropy) {
  TACIT_ASSERT(bound > 0);
  const uint64_t wide = bound;
  const uint64_t turned_away = (~wide + 1) % wide;
  while (true) {
    const UInt128 product = static_cast<UInt128>(entropy.NextWord()) * wide;
    if (static_cast<uint64_t>(product) >= turned_away) {
      return static_cast<uint32_t>(static_cast<uint64_t>(product >> 64));
    }
  }
}

}  // namespace tacit::local
