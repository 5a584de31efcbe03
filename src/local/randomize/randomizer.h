#pragma once

#include <optional>
#include <span>

#include "base/secrets/entropy.h"
#include "local/design/design.h"
#include "local/design/hash_family.h"
#include "local/randomize/coins.h"
#include "local/randomize/report.h"

namespace tacit::local {

// Turns answers into reports. The caller has checked the design and that answers are below its
// `values`; a breach ends the program.
class Randomizer {
 public:
  explicit Randomizer(const Design& design);

  const Design& design() const { return design_; }

  // Any mechanism where a person holds one value.
  void Randomize(uint32_t value, Entropy& entropy, Report& report) const;
  // `several`: the values held.
  void RandomizeSet(std::span<const uint32_t> held, Entropy& entropy, Report& report) const;

  // The same, one mechanism each, without a Report around it.
  uint32_t Kary(uint32_t value, Entropy& entropy) const;
  HashedReport Hashed(uint32_t value, Entropy& entropy) const;
  // Replaces the bits held by the bits shown.
  void Bits(std::span<uint64_t> bits, Entropy& entropy) const;

 private:
  KaryCoins ThrowKary(uint32_t choices, Entropy& entropy) const;

  Design design_;
  std::optional<HashFamily> family_;
};

}  // namespace tacit::local
