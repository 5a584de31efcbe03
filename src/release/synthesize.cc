#include "release/synthesize.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "release/fit/triples.h"

namespace tacit::release {
namespace {

// Why these: more kinds fit more finely and take longer, 4 x kinds x cells^2 operations an
// iteration; few suffice where many cells share them. Clear measurements are worth more steps.
FitSettings SettingsFor(const Targets& targets, double sigma, size_t threads) {
  FitSettings settings{.threads = threads};
  settings.components = targets.cells() <= 100   ? std::clamp<size_t>(20 * targets.cells(), 40, 500)
                        : targets.cells() <= 400 ? 1000
                                                 : 300;
  settings.iterations_max = targets.rows / sigma < 1500 ? 300 : 800;
  return settings;
}

Matrix IndependentPairs(const Targets& targets) {
  Eigen::VectorXf all(static_cast<Eigen::Index>(targets.cells()));
  for (size_t c = 0; c < targets.columns(); ++c) {
    for (size_t i = 0; i < targets.CellsOf(c); ++i) {
      all(static_cast<Eigen::Index>(targets.first[c] + i)) = static_cast<float>(targets.ones[c][i]);
    }
  }
  return all * all.transpose();
}

// How far independent columns are from what was measured, less what noise alone would do. The
// columns' shares hardly depend on the noise of a single pair, so that is nearly unbiased.
void AddDependence(const Targets& targets, RunSummary& summary) {
  const Matrix independent = IndependentPairs(targets);
  summary.chi_square_independent = ChiSquarePerCell(independent, targets);
  const auto cells = static_cast<double>(summary.pair_cells);
  const double excess = summary.chi_square_independent - 1;
  const double sigma = summary.pair_sigma_least / targets.rows;
  // Total variation of a table whose cells are off by this much at root mean square: at most.
  const double size = cells / static_cast<double>(std::max<size_t>(1, summary.pairs));
  summary.dependence = 0.5 * size * sigma * std::sqrt(std::max(0.0, excess));
  summary.dependence_noise = 0.5 * size * sigma * std::sqrt(std::sqrt(2 / cells));
}

void AddNoise(const Measured& measured, RunSummary& summary) {
  summary.rows_estimated = measured.rows;
  summary.histogram_sigma = std::sqrt(measured.histograms.front().variance);
  summary.pairs = measured.pairs.size();
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const Measured::Pair& pair : measured.pairs) {
    summary.pair_cells += pair.table.counts.size();
    least = std::min(least, pair.table.variance);
    most = std::max(most, pair.table.variance);
  }
  summary.pair_sigma_least = measured.pairs.empty() ? 0 : std::sqrt(least);
  summary.pair_sigma_most = std::sqrt(most);
}

size_t RowsFor(const Measured& measured, const SynthesisWish& wish) {
  const auto estimated = static_cast<size_t>(std::llround(measured.rows));
  const size_t rows = wish.rows.value_or(estimated);
  return wish.rows_max > 0 ? std::min(rows, wish.rows_max) : rows;
}

}  // namespace

// Histograms decide where wide columns are cut and what single values get: then they are worth
// twice as much.
Shares SharesOf(const std::vector<ColumnShape>& columns, const SynthesisWish& wish) {
  const bool wide = std::any_of(columns.begin(), columns.end(), [](const ColumnShape& column) {
    return column.ordered && column.cells > kCoarseCells + 1;
  });
  const bool triples = wish.workload == Workload::kTriples && wish.method == Method::kMixture &&
                       columns.size() >= 3 && columns.size() <= kTripleColumnsMax;
  if (columns.size() == 1) return {.histograms = 1, .triples = 0};
  return {.histograms = wide ? Rational(1, 10) : Rational(1, 20),
          .triples = triples ? Rational(1, 10) : Rational(0)};
}

// proof: release/proof.md#5-the-rest-is-post-processing
SyntheticTable Synthesize(const Joint& exact, const std::vector<ColumnShape>& columns,
                          const Moved& moved, const Rho& rho, const SynthesisWish& wish,
                          Entropy& entropy, const Progress& progress) {
  Curator curator(exact, moved, rho, entropy);
  const Shares shares = SharesOf(columns, wish);
  const Measured measured = Measure(columns, shares, curator, progress);
  SyntheticTable result;
  AddNoise(measured, result.summary);
  const Targets targets = MakeTargets(measured);
  const size_t count = RowsFor(measured, wish);
  Rows rows;
  if (columns.size() == 1 || wish.method == Method::kDirect) {
    rows = DrawIndependent(targets, count, entropy);
    if (columns.size() > 1) ImproveRows(targets.first, targets.pairs, {}, 2, rows, progress);
  } else {
    const FitSettings settings =
        SettingsFor(targets, std::max(1e-9, result.summary.pair_sigma_least), wish.threads);
    const Fitted fitted = FitMixture(targets, settings, entropy, progress);
    std::vector<TableTarget> triples;
    if (shares.triples > 0) {
      triples = MeasureTriples(measured, targets, fitted.mixture, wish.threads, curator);
    }
    result.summary.triples = triples.size();
    // Targets are in rows of the table; another number of rows was asked for.
    const double scale = static_cast<double>(count) / targets.rows;
    for (TableTarget& triple : triples) {
      for (float& cell : triple.rows) cell *= static_cast<float>(scale);
    }
    rows = DrawRows(fitted.mixture, targets, count, entropy);
    ImproveRows(targets.first, fitted.pairs, triples, 1, rows, progress);
  }
  if (columns.size() > 1) {
    result.summary.chi_square = ChiSquarePerCell(PairsOf(rows, targets), targets);
    AddDependence(targets, result.summary);
  }
  for (size_t c = 0; c < columns.size(); ++c) {
    result.cells.push_back(columns[c].cells);
    const NoisyTable& histogram = measured.histograms[c];
    std::vector<double> shares_of_cells = histogram.counts;
    for (double& share : shares_of_cells) share /= targets.rows;
    result.codes.push_back(Refined(rows[c], measured.views[c], shares_of_cells,
                                   histogram.variance / (targets.rows * targets.rows), entropy));
  }
  return result;
}

}  // namespace tacit::release
