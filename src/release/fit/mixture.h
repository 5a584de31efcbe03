#pragma once

#include "release/fit/targets.h"

namespace tacit::release {

// A population of `components` kinds of people of equal size; within a kind columns are
// independent. Row k holds the shares of kind k, columns side by side as in Targets.
struct Mixture {
  Matrix shares;

  size_t components() const { return static_cast<size_t>(shares.rows()); }
};

struct FitSettings {
  size_t components = 500;
  int iterations_max = 300;
  double rate = 0.1;  // of the first step
  // Ends where this is reached: the truth has about 1, and below that it is noise that is fitted.
  double chi_square_enough = 0.8;
  size_t threads = 1;  // the result is the same for any number
};

// The mixture whose pairs, columns and `tables` are nearest to the targets, by gradient descent,
// from kinds that are near to independent columns, or from `start` where it has any. Everything is
// made of released values.
struct Fitted {
  Mixture mixture;
  std::vector<Matrix> pairs;  // what it has at the end, in the targets' order
  double chi_square = 0;
  int iterations = 0;
};
Fitted FitMixture(const Targets& targets, const std::vector<FitTable>& tables,
                  const FitSettings& settings, const Mixture& start, Entropy& entropy,
                  const Progress& progress);

// The table that the mixture has of these columns through these views, as shares.
std::vector<float> TableOf(const Mixture& mixture, const Targets& targets,
                           const std::vector<size_t>& columns, const std::vector<View>& views);

}  // namespace tacit::release
