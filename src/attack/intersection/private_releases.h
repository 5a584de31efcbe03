#pragma once

#include <cstdint>
#include <vector>

#include "anonymize/partition/domain.h"
#include "base/numbers/privacy_parameters.h"
#include "base/result.h"

namespace tacit::attack {

// The same two hospitals, each publishing a differentially private table instead: the number of
// people with every sensitive value in every cell of a public grid over the quasi-identifiers, with
// discrete Laplace noise of scale 1/epsilon (one person is in one cell, so the release costs
// epsilon; a person in both pays 2 epsilon). The grid halves the columns' value lists in turn; it
// and the lists are taken to be public.
struct PrivateBreaches {
  double epsilon = 0;  // of one release
  // Shares of targets, one number a run. The attack intersects the values with a positive count.
  std::vector<double> claimed = {};  // one value is left
  std::vector<double> right = {};    // ... and it is the target's
  // The best guess: the value with the largest sum of both counts. Once with the target in both
  // releases, once with the target's row taken out of both.
  std::vector<double> guess_with = {};
  std::vector<double> guess_without = {};
  double people_a_cell = 0;
};

// Everybody's most frequent value: what is guessed right without any release of rows.
double BlindGuess(const anonymize::Domain& sensitive);

Result<PrivateBreaches> IntersectPrivate(const std::vector<anonymize::Domain>& domains,
                                         const anonymize::Domain& sensitive, uint32_t overlap,
                                         const Epsilon& epsilon, uint32_t cells, uint32_t runs,
                                         uint64_t seed, uint32_t targets = UINT32_MAX);

// The cell of every row in a grid of 2^bits cells.
std::vector<uint32_t> PublicGrid(const std::vector<anonymize::Domain>& domains, uint32_t bits);

}  // namespace tacit::attack
