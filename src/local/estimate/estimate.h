#pragma once

#include <span>
#include <vector>

#include "local/estimate/tally.h"

namespace tacit::local {

// Estimation is post-processing of reports, which are public: doubles are welcome here.

// n times the variance of the estimate of a frequency f, for the people who answered: only the
// noise counts.
double NoiseVariance(const Design& design, double frequency);
// The same when the people are themselves a random sample of a population: f (1 - f) on top.
double SampledVariance(const Design& design, double frequency);

struct ConfidenceInterval {
  double low = 0;
  double high = 0;
};

struct Frequency {
  double estimate = 0;            // unbiased; may be negative or above 1, which is noise
  double projected = 0;           // the nearest valid frequencies
  double error = 0;               // standard deviation of the noise, at the projected frequency
  ConfidenceInterval answered;    // 95 %, for the people who answered
  ConfidenceInterval population;  // 95 %, for a population they were drawn from at random
};

// Why 1.96: 95 % of a normal distribution. Each interval on its own, not all of them at once.
inline constexpr double kNormal95 = 1.959963984540054;

// One a value, in order. Without people every estimate is 0 and every interval is [0, 1].
std::vector<Frequency> EstimateFrequencies(const Tally& tally);

// The nearest point (Euclidean) with no negative entry and sum 1.
std::vector<double> ProjectOntoSimplex(std::span<const double> point);

}  // namespace tacit::local
