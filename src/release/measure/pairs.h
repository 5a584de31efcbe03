#pragma once

#include <functional>

#include "release/measure/coarse.h"

namespace tacit::release {

// Called now and then, with percent of the work; all that it is told was released.
using Progress = std::function<void(const std::string& doing, double percent)>;

// The progress of one part of the work: its 0 and 100 are these percentages of the whole.
Progress Between(const Progress& whole, double from, double to);

// Counting pairs takes about so much of a run, in percent.
inline constexpr double kMeasured = 10;

// Everything that was measured, once: histograms of all columns, and tables of pairs of them
// through their views.
struct Measured {
  double rows = 0;                     // estimated; at least 0
  std::vector<NoisyTable> histograms;  // of the columns' own cells
  std::vector<View> views;
  struct Pair {
    size_t a = 0;
    size_t b = 0;  // after a
    NoisyTable table;
  };
  std::vector<Pair> pairs;
};

// What each histogram should pay of theirs, about 1 together: more for wide columns, whose single
// values nothing else tells. The others are known from their pairs already.
std::vector<double> HistogramParts(const std::vector<ColumnShape>& columns);

// Histograms of all columns, for this rho together, and the views that follow from them.
Measured MeasureHistograms(const std::vector<ColumnShape>& columns, const Rational& rho,
                           Curator& curator);

using ColumnPair = std::pair<size_t, size_t>;  // the first before the second
std::vector<ColumnPair> AllPairs(size_t columns);

// So many pairs of columns that have most to do with each other: those that are farthest from
// independent columns, beyond what noise of a measurement would be. Chosen for this rho together.
std::vector<ColumnPair> ChoosePairs(const Measured& measured, size_t wanted, const Rational& rho,
                                    const Rational& for_counting, size_t threads, Curator& curator);

// Counts these pairs for this rho together, each with the noise that it deserves: tables whose
// cells stand above their noise get more.
void MeasurePairs(const std::vector<ColumnPair>& pairs, const Rational& rho, Measured& measured,
                  Curator& curator, const Progress& progress);

// What each of these tables should pay of rho, given what independent columns would put into its
// cells; `l2_squared` is the tables' sensitivity. Adds up to a little less than rho.
std::vector<double> PairShares(const std::vector<std::vector<double>>& expected, double rho,
                               double l2_squared);

}  // namespace tacit::release
