#pragma once

#include "release/fit/queries.h"

namespace tacit::release {

// Why a million: every combination of cells has a weight, and every round goes over all of them.
inline constexpr size_t kMwemCellsMax = 1'000'000;

// How many combinations of cells these columns have; kMwemCellsMax + 1 for more.
size_t Combinations(const std::vector<size_t>& cells);

// Multiplicative weights with the exponential mechanism (Hardt, Ligett, McSherry 2012), over tables
// and not single cells, from independent columns on: in every round the query with the largest
// error is chosen and counted, and the weights of all combinations are turned towards what was
// counted so far. Spends this rho. Combinations(...) is within kMwemCellsMax.
struct MwemFit {
  std::vector<double> weights;  // of all combinations, sum 1; the last column runs fastest
  std::vector<Answered> answered;
};
MwemFit FitMwem(const std::vector<Query>& queries, const Rational& rho, const Measured& measured,
                const Targets& targets, size_t threads, Curator& curator, const Progress& progress);

// So many rows of the weights, at equal distances along them, in random order.
Rows DrawCombinations(std::vector<double> weights, const Targets& targets, const Weighing& weighing,
                      size_t count, Entropy& entropy);

}  // namespace tacit::release
