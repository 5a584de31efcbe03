#include "noise/uniform/uniform.h"

namespace tacit::noise {

// proof: noise/uniform/proof.md#claim
Integer UniformBelow(const Integer& bound, Entropy& entropy) {
  TACIT_ASSERT(bound > 0);
  const size_t bits = mpz_sizeinbase(bound.get_mpz_t(), 2);
  while (true) {
    Integer candidate = 0;
    size_t missing = bits;
    for (; missing >= 64; missing -= 64) {
      candidate <<= 64;
      candidate += static_cast<unsigned long>(entropy.NextWord());
    }
    if (missing > 0) {
      candidate <<= missing;
      candidate += static_cast<unsigned long>(entropy.NextWord() >> (64 - missing));
    }
    if (candidate < bound) return candidate;
  }
}

}  // namespace tacit::noise
