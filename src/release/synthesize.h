#pragma once

#include <optional>

#include "release/fit/queries.h"

namespace tacit::release {

enum class Method {
  kMixture,   // all pairs, denoised, a mixture of products fitted by gradient descent
  kDirect,    // all pairs, denoised, rows fitted to them without a model between
  kAdaptive,  // in rounds, the table with the largest error each time, and the mixture again
  kMwem,      // in rounds, a weight for every combination of cells
};
enum class Workload { kPairs, kTriples, kQueries };

struct SynthesisWish {
  Method method = Method::kMixture;
  Workload workload = Workload::kPairs;
  std::vector<Query> queries = {};          // of kQueries
  std::vector<Impossible> impossible = {};  // of the columns' own cells; shapes are cut there
  Weighing weighing = {};                   // of a column that is not ordered and has no NULL
  std::optional<size_t> rows = {};          // nothing: as many as the table has, by its noisy count
  size_t rows_max = 0;                      // never more
  size_t threads = 1;                       // the result is the same for any number
};

// How rho is shared out for these columns.
struct Shares {
  Rational histograms;
  Rational choosing;   // of pairs, where not all are counted
  size_t pairs = 0;    // how many are counted; none where rounds choose them
  Rational for_pairs;  // with what they are
  Rational queries;    // tables beyond pairs, chosen and counted; all rounds of a method
  size_t asked = 0;    // how many of these
  Rational estimate;   // of how far the rows are off
};
Shares SharesOf(const std::vector<ColumnShape>& columns, const SynthesisWish& wish);

// What may be said about a run: made of released values alone.
struct RunSummary {
  double rows_estimated = 0;
  double histogram_sigma = 0;   // noise of a cell, in rows
  double pair_sigma_least = 0;  // the same over all pairs
  double pair_sigma_most = 0;
  size_t pairs = 0;
  size_t pair_cells = 0;
  size_t tables = 0;                  // beyond pairs
  double chi_square = 0;              // of the rows against what was measured, per cell: near 1
  double chi_square_independent = 0;  // of independent columns
  // Pairs of independent columns are this far from the truth, in total variation, by an estimate
  // that noise moves by `dependence_noise` at one standard deviation. Below two of them nothing
  // was found that the columns have to do with each other.
  double dependence = 0;
  double dependence_noise = 0;
  // Pairs of these rows are this far from the truth, mean total variation: counted for it, with
  // noise of this standard deviation.
  double error = 0;
  double error_noise = 0;
};

// Adds what was measured with what noise.
void AddNoise(const Measured& measured, RunSummary& summary);

struct SyntheticTable {
  std::vector<std::vector<uint16_t>> codes;  // by column, of the columns' own cells
  std::vector<size_t> cells;                 // of each column
  RunSummary summary;
  std::vector<Answered> answered = {};  // of the wish's queries
};

// The whole run as one mechanism: rho-zCDP for the rho given, where one step between neighbours
// moves the rows by `moved` (proof.md). Only the Curator inside reads `exact`.
SyntheticTable Synthesize(const Joint& exact, const std::vector<ColumnShape>& columns,
                          const Moved& moved, const Rho& rho, const SynthesisWish& wish,
                          Entropy& entropy, const Progress& progress);

// Why 32: some five hundred pairs. Of more columns pairs are chosen, and no table of three.
inline constexpr size_t kAllPairsColumns = 32;

// How many pairs of so many columns are counted.
size_t PairsCounted(size_t columns);

// The sets of a rule over the columns' own cells, as sets of the views' cells.
Impossible ThroughViews(const Impossible& rule, const std::vector<View>& views);

}  // namespace tacit::release
