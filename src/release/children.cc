#include "release/children.h"

#include <algorithm>
#include <cmath>

#include "release/error_estimate.h"

namespace tacit::release {
namespace {

// Rows start as independent ones: some sweeps until they hardly move.
constexpr int kChildSweeps = 3;

// The parents' columns of every child, as the children's views have them. A cell that the views
// left out as noise becomes the column's largest.
Rows Inherited(const MadeParents& parents, const Measured& measured, const Targets& targets) {
  Rows rows;
  for (size_t c = 0; c < parents.codes.size(); ++c) {
    const std::vector<double>& shares = targets.ones[c];
    const auto largest =
        static_cast<uint16_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    std::vector<uint16_t>& column = rows.emplace_back();
    for (size_t p = 0; p < parents.children.size(); ++p) {
      const uint16_t cell = measured.views[c].cell_of[parents.codes[c][p]];
      column.insert(column.end(), parents.children[p], cell == kNowhere ? largest : cell);
    }
  }
  return rows;
}

// The parents whose children these rows were, in rising order, have one less each.
void TakeFrom(const std::vector<size_t>& taken_out, std::vector<size_t>& children) {
  size_t parent = 0;
  size_t end = children.empty() ? 0 : children[0];  // of the parent's rows, as they were
  for (const size_t row : taken_out) {
    while (row >= end) end += children[++parent];
    --children[parent];
  }
}

std::vector<ColumnPair> PairsOfChildren(size_t columns, size_t of_parent) {
  std::vector<ColumnPair> pairs;
  for (const ColumnPair& pair : AllPairs(columns)) {
    if (pair.second >= of_parent) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

Shares SharesOfChildren(size_t columns, size_t of_parent) {
  Shares shares;
  shares.histograms = Rational(1, 10);
  shares.estimate = Rational(1, 400);
  shares.pairs = PairsOfChildren(columns, of_parent).size();
  shares.for_pairs = 1 - shares.histograms - shares.estimate;
  return shares;
}

// proof: release/proof.md#6-the-rest-is-post-processing
SyntheticTable SynthesizeChildren(const Joint& exact, const std::vector<ColumnShape>& columns,
                                  const std::vector<Impossible>& impossible, const Moved& moved,
                                  const Rho& rho, size_t threads, MadeParents& parents,
                                  Entropy& entropy, const Progress& progress) {
  Curator curator(exact, moved, rho, entropy);
  const size_t fixed = parents.codes.size();
  const Shares shares = SharesOfChildren(columns.size(), fixed);
  Measured measured = MeasureHistograms(columns, Rational(rho.value * shares.histograms), curator);
  MeasurePairs(PairsOfChildren(columns.size(), fixed), Rational(rho.value * shares.for_pairs),
               measured, curator, Between(progress, 0, kMeasured));
  const Targets targets = MakeTargets(measured, threads);
  Rows rows = Inherited(parents, measured, targets);
  size_t count = 0;
  for (const size_t children : parents.children) count += children;
  const Rows own = DrawIndependent(targets, {}, count, entropy);
  rows.insert(rows.end(), own.begin() + static_cast<std::ptrdiff_t>(fixed), own.end());
  std::vector<Matrix> clean;
  for (const Targets::Pair& pair : targets.pairs) clean.push_back(pair.clean);
  PairTargets near = PairTargetsOf(clean, targets, static_cast<double>(count));
  RowRules rules{.fixed = fixed};
  for (const Impossible& rule : impossible) {
    rules.impossible.push_back(ThroughViews(rule, measured.views));
  }
  TakeFrom(ImproveRows(targets.first, near.matrix, near.tables, rules, kChildSweeps, rows,
                       Between(progress, kMeasured, 100)),
           parents.children);

  SyntheticTable made;
  AddNoise(measured, made.summary);
  if (!rows[0].empty()) {
    made.summary.chi_square = ChiSquarePerCell(PairsOf(rows, targets), targets);
    made.summary.chi_square_independent = ChiSquarePerCell(IndependentBlocks(targets), targets);
  }
  const PairDistance error =
      EstimateError(rows, {}, measured, Rational(rho.value * shares.estimate), threads, curator);
  made.summary.error = error.total_variation;
  made.summary.error_noise = error.noise;
  const double all = std::max(1.0, measured.rows);
  for (size_t c = fixed; c < columns.size(); ++c) {
    made.cells.push_back(columns[c].cells);
    std::vector<double> of_cells = measured.histograms[c].counts;
    for (double& share : of_cells) share /= all;
    made.codes.push_back(Refined(rows[c], measured.views[c], of_cells,
                                 measured.histograms[c].variance / (all * all), entropy));
  }
  return made;
}

}  // namespace tacit::release
