#include "local/randomize/randomizer.h"

#include "base/assert.h"
#include "noise/uniform/uniform.h"

namespace tacit::local {
namespace {

uint32_t Below(uint32_t bound, Entropy& entropy) {
  return static_cast<uint32_t>(noise::UniformBelow(uint64_t{bound}, entropy));
}

}  // namespace

Randomizer::Randomizer(const Design& design) : design_(design) {
  TACIT_ASSERT(CheckDesign(design).ok());
  if (design.mechanism == Mechanism::kHashing) family_.emplace(design.values, design.buckets);
}

KaryCoins Randomizer::ThrowKary(uint32_t choices, Entropy& entropy) const {
  KaryCoins coins{.coin = entropy.NextWord()};
  if (choices > 2) coins.other = Below(choices - 1, entropy);
  return coins;
}

uint32_t Randomizer::Kary(uint32_t value, Entropy& entropy) const {
  return KaryReport(design_.keep, value, ThrowKary(design_.values, entropy));
}

HashedReport Randomizer::Hashed(uint32_t value, Entropy& entropy) const {
  const uint32_t seed = Below(family_->seeds(), entropy);
  return HashReport(*family_, design_.keep, value, seed, ThrowKary(design_.buckets, entropy));
}

void Randomizer::Bits(std::span<uint64_t> bits, Entropy& entropy) const {
  const auto next = [&entropy] { return entropy.NextWord(); };
  for (uint64_t& word : bits) {
    const BitCoins coins{.if_held = BernoulliLanes(design_.keep, next),
                         .if_not = BernoulliLanes(design_.lie, next)};
    word = BitsReport(word, coins);
  }
  bits.back() &= LastWordMask(design_.values);
}

void Randomizer::Randomize(uint32_t value, Entropy& entropy, Report& report) const {
  TACIT_ASSERT(IsExclusive(design_.mechanism));
  TACIT_ASSERT(value < design_.values);
  if (HasBits(design_.mechanism)) {
    report.bits.assign(WordsFor(design_.values), 0);
    report.bits[value / 64] = BitOf(value);
    Bits(report.bits, entropy);
  } else if (design_.mechanism == Mechanism::kHashing) {
    const HashedReport hashed = Hashed(value, entropy);
    report.seed = hashed.seed;
    report.value = hashed.bucket;
  } else {
    report.value = Kary(value, entropy);
  }
}

void Randomizer::RandomizeSet(std::span<const uint32_t> held, Entropy& entropy,
                              Report& report) const {
  TACIT_ASSERT(design_.mechanism == Mechanism::kSeveral);
  TACIT_ASSERT(held.size() <= design_.ticks_max);
  report.bits.assign(WordsFor(design_.values), 0);
  for (const uint32_t value : held) {
    TACIT_ASSERT(value < design_.values);
    report.bits[value / 64] |= BitOf(value);
  }
  Bits(report.bits, entropy);
}

}  // namespace tacit::local
