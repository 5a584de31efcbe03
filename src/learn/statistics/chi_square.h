#pragma once

#include <optional>
#include <string>
#include <vector>

#include "learn/statistics/chance.h"

namespace tacit::learn {

// Noisy counts of rows by two columns, the second column's cells within the first's.
struct CountTable {
  size_t rows = 0;  // cells of the first column
  size_t columns = 0;
  std::vector<double> counts;
  NoiseLaw noise;  // of each count
};

// Whether two columns go together.
struct ChiSquare {
  double people = 0;  // the noisy number of rows
  double people_noise = 0;
  // Of the counts, and of each what it adds to the statistic. Nothing where the noise hides how
  // many rows there are.
  std::vector<double> expected = {};
  std::vector<double> added = {};
  double statistic = 0;
  // The share of tables of independent columns, with the same noise, that look as far from
  // independent as this one.
  std::optional<double> p_value = {};
};

// A function of what was released and nothing else; statistics.md says how well it decides.
ChiSquare TestIndependence(const CountTable& table);

}  // namespace tacit::learn
