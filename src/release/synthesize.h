#pragma once

#include <optional>

#include "release/measure/pairs.h"

namespace tacit::release {

enum class Method {
  kMixture,  // all pairs, denoised, a mixture of products fitted by gradient descent
  kDirect,   // all pairs, denoised, rows fitted to them without a model between
};
enum class Workload { kPairs, kTriples };

struct SynthesisWish {
  Method method = Method::kMixture;
  Workload workload = Workload::kPairs;
  std::optional<size_t> rows = {};  // nothing: as many as the table has, by its noisy count
  size_t rows_max = 0;              // never more
  size_t threads = 1;               // the result is the same for any number
};

// How rho is shared out for these columns, as Synthesize does it.
Shares SharesOf(const std::vector<ColumnShape>& columns, const SynthesisWish& wish);

// What may be said about a run: made of released values alone.
struct RunSummary {
  double rows_estimated = 0;
  double histogram_sigma = 0;   // noise of a cell, in rows
  double pair_sigma_least = 0;  // the same over all pairs
  double pair_sigma_most = 0;
  size_t pairs = 0;
  size_t pair_cells = 0;
  size_t triples = 0;
  double chi_square = 0;              // of the rows against what was measured, per cell: near 1
  double chi_square_independent = 0;  // of independent columns
  // Pairs of independent columns are this far from the truth, in total variation, by an estimate
  // that noise moves by `dependence_noise` at one standard deviation. Below two of them nothing
  // was found that the columns have to do with each other.
  double dependence = 0;
  double dependence_noise = 0;
};

struct SyntheticTable {
  std::vector<std::vector<uint16_t>> codes;  // by column, of the columns' own cells
  std::vector<size_t> cells;                 // of each column
  RunSummary summary;
};

// The whole run as one mechanism: rho-zCDP for the rho given, where one step between neighbours
// moves the rows by `moved` (proof.md). Only the Curator inside reads `exact`.
SyntheticTable Synthesize(const Joint& exact, const std::vector<ColumnShape>& columns,
                          const Moved& moved, const Rho& rho, const SynthesisWish& wish,
                          Entropy& entropy, const Progress& progress);

}  // namespace tacit::release
