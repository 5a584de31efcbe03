#pragma once

#include "release/fit/queries.h"

namespace tacit::release {

// What a fit in rounds ends with.
struct AdaptiveFit {
  Targets targets;
  Fitted fitted;
  std::vector<FitTable> tables;    // beyond pairs
  std::vector<Answered> answered;  // the same, as measured
};

// Measures where the error is largest: in every round the exponential mechanism chooses one of the
// queries, it is counted, and the mixture is fitted to everything that is known by then. Spends
// this rho, and adds the pairs that it counts to `measured`.
AdaptiveFit FitAdaptively(const std::vector<Query>& queries, const Rational& rho,
                          const FitSettings& settings, Measured& measured, Curator& curator,
                          const Progress& progress);

// How many rounds so many columns are worth.
size_t RoundsFor(size_t columns, size_t queries);

}  // namespace tacit::release
