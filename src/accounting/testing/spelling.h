#pragma once

#include "accounting/pld/pld.h"

// Short spellings for the tables of the tests.

namespace tacit::accounting {

inline Rational Number(const char* text) { return ParseRational(text).value(); }
inline Delta DeltaOf(const char* text) { return Delta(Number(text)); }
inline Term Sampled(const char* sigma, const char* rate, uint64_t count) {
  return {SubsampledGaussianEvent{Number(sigma), Number(rate)}, count};
}
inline pld::Bracket EpsilonOf(const std::vector<Term>& terms, const char* delta) {
  return pld::EpsilonBracket(terms, DeltaOf(delta), Neighbours::kAddRemove).value();
}

}  // namespace tacit::accounting
