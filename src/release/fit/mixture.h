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
  // Ends where this is reached: the truth has about 1, and below that it is noise that is fitted.
  double chi_square_enough = 0.85;
  size_t threads = 1;  // the result is the same for any number
};

// The mixture whose pairs and columns are nearest to the targets, by gradient descent. `pairs` is
// what it has at the end: the shares of all pairs of cells. Everything is made of released values.
struct Fitted {
  Mixture mixture;
  Matrix pairs;
  double chi_square = 0;
  int iterations = 0;
};
Fitted FitMixture(const Targets& targets, const FitSettings& settings, Entropy& entropy,
                  const Progress& progress);

}  // namespace tacit::release
