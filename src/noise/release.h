#pragma once

#include <utility>

#include "base/secrets/entropy.h"
#include "base/sensitive.h"

namespace tacit::noise {

// The only way from Sensitive<T> to Released<T>. A mechanism is one object: Apply(exact, entropy)
// draws the noise, and the object says what that costs and how far the answer may be off
// (column_mechanism.h).
template <class Mechanism, class T>
auto Release(const Mechanism& mechanism, const Sensitive<T>& exact, Entropy& entropy) {
  auto noisy = mechanism.Apply(exact.value_, entropy);
  return Released<decltype(noisy)>(std::move(noisy));
}

// The same for a value that nobody needs afterwards: the mechanism may take it apart as it goes.
template <class Mechanism, class T>
auto Release(const Mechanism& mechanism, Sensitive<T>&& exact, Entropy& entropy) {
  auto noisy = mechanism.Apply(std::move(exact.value_), entropy);
  return Released<decltype(noisy)>(std::move(noisy));
}

}  // namespace tacit::noise
