#pragma once

#include <cstdint>
#include <vector>

#include "base/numbers/rational.h"
#include "base/secrets/entropy.h"

namespace tacit::noise {

// A random real number E with density e^-x on x >= 0, sampled exactly: its first 128 binary places
// are drawn at once, and further places whenever a decision needs them. Every mechanism stands on
// it:
//   floor(t E)   is geometric with ratio e^(-1/t), for any scale t;
//   E > x        is a coin that shows heads with probability e^-x;
//   E / w        wins a race against others with probability proportional to its weight w.
// The work of Draw and of the fast decisions does not depend on the value: see proof.md.
class Exponential {
 public:
  static Exponential Draw(Entropy& entropy);

  // floor(E * factor).
  UInt128 FloorTimes(uint64_t factor, Entropy& entropy) {
    // factor * E, in units of 2^-128, lies in [product, product + factor).
    const UInt128 low = static_cast<UInt128>(factor) * low_;
    const UInt128 middle = static_cast<UInt128>(factor) * high_ + static_cast<uint64_t>(low >> 64);
    const UInt128 top = static_cast<UInt128>(factor) * whole_ + static_cast<uint64_t>(middle >> 64);
    const UInt128 fraction = (middle << 64) | static_cast<uint64_t>(low);
    if (fraction > ~static_cast<UInt128>(0) - factor) [[unlikely]] {
      return FloorTimesSlowly(factor, entropy);
    }
    return top;
  }
  Integer FloorTimes(const Integer& factor, Entropy& entropy);

  // E > x; equality has probability zero and never needs to be decided.
  bool IsAbove(const Rational& x, Entropy& entropy);

  // floor(E * 2^64); E lies in [FloorAt64(), FloorAt64() + 1) * 2^-64.
  UInt128 FloorAt64() const { return static_cast<UInt128>(whole_) << 64 | high_; }

  // The leading words of E without drawing more: E lies in [bits, bits + 1) * 2^-places, where bits
  // has at least 64 significant bits unless E is below 2^-64.
  struct Leading {
    UInt128 bits;
    int places;
  };
  Leading LeadingBits() const {
    const bool whole = whole_ != 0;
    const UInt128 upper = static_cast<UInt128>(whole_) << 64 | high_;
    const UInt128 lower = static_cast<UInt128>(high_) << 64 | low_;
    return {.bits = whole ? upper : lower, .places = whole ? 64 : 128};
  }

  // floor(E * 2^(64 words)), drawing what is missing; words >= 2.
  Integer FloorAt(size_t words, Entropy& entropy);

 private:
  Exponential(uint64_t whole, uint64_t high, uint64_t low)
      : whole_(whole), high_(high), low_(low) {}

  UInt128 FloorTimesSlowly(uint64_t factor, Entropy& entropy);
  bool IsKeptAfterTie(uint64_t first_word, Entropy& entropy);

  uint64_t whole_;              // before the point; E >= 2^64 has probability e^(-2^64)
  uint64_t high_;               // binary places 1 to 64
  uint64_t low_;                // 65 to 128
  std::vector<uint64_t> tail_;  // 64 places a word from there on, drawn on demand
};

}  // namespace tacit::noise
