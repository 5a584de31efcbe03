#pragma once

#include "release/fit/rows.h"

namespace tacit::release {

// How far the pairs of made rows are from those of the exact ones, as mean total variation (half
// of L1, as a share of the rows): one number, counted for this rho, with its noise.
struct PairDistance {
  double total_variation = 0;
  double noise = 0;  // one standard deviation
};
PairDistance EstimateError(const Rows& rows, const Weighing& weighing, const Measured& measured,
                           const Rational& rho, size_t threads, Curator& curator);

// Why 500: enough for a mean; of more pairs so many are taken, at equal distances.
inline constexpr size_t kEstimatedPairs = 500;

}  // namespace tacit::release
