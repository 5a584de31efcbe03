#pragma once

#include <limits>

#include "base/assert.h"
#include "base/numbers/rational.h"
#include "base/secrets/entropy.h"

namespace tacit::noise {

// An exactly uniform integer in [0, bound): the high half of word * bound, where the words that
// would make some results more likely than others are drawn again (Lemire 2019, "Fast random
// integer generation in an interval"). See proof.md. `next` returns uniform values of the type
// Word.
// proof: noise/uniform/proof.md#claim
template <class Word, class DoubleWord, class NextWord>
Word UniformBelowFrom(Word bound, NextWord next) {
  constexpr int kBits = std::numeric_limits<Word>::digits;
  TACIT_ASSERT(bound > 0);
  // 2^bits mod bound: how many of the words must be turned away.
  const Word turned_away = static_cast<Word>(static_cast<Word>(-bound) % bound);
  while (true) {
    const DoubleWord product = static_cast<DoubleWord>(static_cast<DoubleWord>(next()) * bound);
    if (static_cast<Word>(product) >= turned_away) return static_cast<Word>(product >> kBits);
  }
}

inline uint64_t UniformBelow(uint64_t bound, Entropy& entropy) {
  return UniformBelowFrom<uint64_t, UInt128>(bound, [&] { return entropy.NextWord(); });
}

// The same for bounds of any size: just enough bits are drawn, and drawn again when they are too
// large.
Integer UniformBelow(const Integer& bound, Entropy& entropy);

}  // namespace tacit::noise
