#pragma once

#include <cstddef>
#include <span>

#include "base/numbers/rational.h"
#include "noise/exponential/exponential.h"

namespace tacit::noise {

// A runner who wins the race with probability proportional to multiplicity * e^(-rate * handicap).
struct Runner {
  uint64_t handicap = 0;
  uint64_t multiplicity = 1;  // at least 1
};

// The exponential race: runner i arrives at E_i * e^(rate * handicap_i) / multiplicity_i, and the
// first to arrive has won with exactly that probability. Each runner costs the same work, whatever
// the handicap; arrival times are compared through 63-bit enclosures, and runners whose enclosures
// overlap (chance about 2^-50) are told apart exactly.
class Race {
 public:
  explicit Race(const Rational& rate);

  size_t Winner(std::span<const Runner> runners, Entropy& entropy) const;

 private:
  friend class RaceProbe;  // the test that compares enclosures with exact arrival times

  UInt128 Exponent(uint64_t handicap) const;
  // A monotone image of the arrival time: the exponent of two, then 63 bits below the leading one.
  // The true image lies in [image, image + kImageSlack].
  Int128 ArrivalImage(const Exponential& e, const Runner& runner) const;
  bool ArrivesBefore(Exponential& a, const Runner& runner_a, Exponential& b, const Runner& runner_b,
                     Entropy& entropy) const;

  Rational rate_;
  // rate * log2(e) lies in [rate_mantissa_, rate_mantissa_ + 1) * 2^-rate_places_, with 128 bits.
  UInt128 rate_mantissa_ = 0;
  long rate_places_ = 0;
};

// Why 2^8: nine roundings of at most 16 units each, halved or doubled once by normalising.
inline constexpr Int128 kImageSlack = 1 << 8;

}  // namespace tacit::noise
