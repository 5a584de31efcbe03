#pragma once

#include "learn/moments.h"

namespace tacit::learn {

// A number made of released ones, and the standard deviation that the noise gives it, to first
// order.
struct Estimate {
  double value = 0;
  double noise = 0;
};

// What moments say by themselves. Nothing where the number of rows cannot be told from its noise.
Estimate RowsOf(const Moments& moments);
Estimate MeanOf(const Moments& moments, size_t column);
Estimate CovarianceOf(const Moments& moments, size_t a, size_t b);
bool HasRows(const Moments& moments);

// The directions in which the columns, each divided by half of its public range, vary most: the
// widest first, each of length 1 and with its largest weight positive.
struct Component {
  double variance = 0;          // never negative
  double share = 0;             // of all variance
  bool above_noise = false;     // it is wider than the noise alone would make one
  std::vector<double> weights;  // by column
};
std::vector<Component> ComponentsOf(const Moments& moments);

}  // namespace tacit::learn
