#pragma once

#include "noise/exponential/exponential.h"

namespace tacit::noise {

// True with probability exactly e^-x, for rational x >= 0: an exponential variate exceeds x that
// often.
// proof: noise/bernoulli_exp/proof.md#claim
inline bool BernoulliExp(const Rational& x, Entropy& entropy) {
  TACIT_ASSERT(x >= 0);
  return Exponential::Draw(entropy).IsAbove(x, entropy);
}

}  // namespace tacit::noise
