#include "release/children.h"

#include <algorithm>
#include <cmath>

namespace tacit::release {
namespace {

const Rational kHistograms(1, 10);
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

}  // namespace

// proof: release/proof.md#6-the-rest-is-post-processing
SyntheticTable SynthesizeChildren(const Joint& exact, const std::vector<ColumnShape>& columns,
                                  const MadeParents& parents, const Moved& moved, const Rho& rho,
                                  Entropy& entropy, const Progress& progress) {
  Curator curator(exact, moved, rho, entropy);
  const size_t fixed = parents.codes.size();
  Measured measured = MeasureHistograms(columns, Rational(rho.value * kHistograms), curator);
  std::vector<ColumnPair> pairs;
  for (const ColumnPair& pair : AllPairs(columns.size())) {
    if (pair.second >= fixed) pairs.push_back(pair);
  }
  if (!pairs.empty()) {
    MeasurePairs(pairs, Rational(rho.value * Rational(1 - kHistograms)), measured, curator,
                 progress);
  }
  const Targets targets = MakeTargets(measured);
  Rows rows = Inherited(parents, measured, targets);
  size_t count = 0;
  for (const size_t children : parents.children) count += children;
  const Rows own = DrawIndependent(targets, count, entropy);
  rows.insert(rows.end(), own.begin() + static_cast<std::ptrdiff_t>(fixed), own.end());
  std::vector<Matrix> clean;
  for (const Targets::Pair& pair : targets.pairs) clean.push_back(pair.clean);
  PairTargets near = PairTargetsOf(clean, targets, count);
  ImproveRows(targets.first, near.matrix, near.tables, {.fixed = fixed}, kChildSweeps, rows,
              progress);

  SyntheticTable made;
  made.summary.rows_estimated = measured.rows;
  made.summary.histogram_sigma = std::sqrt(measured.histograms.front().variance);
  made.summary.pairs = pairs.size();
  if (!pairs.empty() && count > 0) {
    made.summary.chi_square = ChiSquarePerCell(PairsOf(rows, targets), targets);
    made.summary.chi_square_independent = ChiSquarePerCell(IndependentBlocks(targets), targets);
  }
  const double all = std::max(1.0, measured.rows);
  for (size_t c = fixed; c < columns.size(); ++c) {
    made.cells.push_back(columns[c].cells);
    std::vector<double> shares = measured.histograms[c].counts;
    for (double& share : shares) share /= all;
    made.codes.push_back(Refined(rows[c], measured.views[c], shares,
                                 measured.histograms[c].variance / (all * all), entropy));
  }
  return made;
}

}  // namespace tacit::release
