#include "release/measure/pairs.h"

#include <algorithm>
#include <cmath>

namespace tacit::release {
namespace {

// The number of rows is what every histogram adds up to; the noise of that grows with its cells.
double EstimateRows(const std::vector<NoisyTable>& histograms) {
  double sum = 0;
  double weights = 0;
  for (const NoisyTable& histogram : histograms) {
    const double weight = 1 / (histogram.variance * static_cast<double>(histogram.counts.size()));
    for (const double count : histogram.counts) sum += weight * count;
    weights += weight;
  }
  return std::max(0.0, sum / weights);
}

// What rounding may add to payments, taken off before they are shared out.
constexpr double kSlack = 1e-6;

// The shares of the view's cells, as the histogram has them.
std::vector<double> ViewShares(const NoisyTable& histogram, const View& view, double rows) {
  std::vector<double> sums(view.cells);
  for (size_t i = 0; i < view.cell_of.size(); ++i) {
    if (view.cell_of[i] != kNowhere) sums[view.cell_of[i]] += histogram.counts[i];
  }
  for (double& sum : sums) sum /= std::max(1.0, rows);
  return OntoSimplex(sums);
}

}  // namespace

std::vector<double> HistogramParts(const std::vector<ColumnShape>& columns) {
  std::vector<double> parts;
  double sum = 0;
  for (const ColumnShape& column : columns) {
    const bool wide = column.ordered && column.cells > kCoarseCells + 1;
    parts.push_back(wide ? std::sqrt(static_cast<double>(column.cells)) : 1);
    sum += parts.back();
  }
  for (double& part : parts) part *= (1 - kSlack) / sum;
  return parts;
}

std::vector<double> PairShares(const std::vector<std::vector<double>>& expected, double rho,
                               double l2_squared) {
  const size_t count = expected.size();
  std::vector<double> shares(count, 1.0 / static_cast<double>(count));
  // What a table deserves depends on its noise, and its noise on that: both settle in a few steps.
  for (int step = 0; step < 20; ++step) {
    std::vector<double> deserved(count);
    double total = 0;
    for (size_t i = 0; i < count; ++i) {
      const double sigma = std::sqrt(l2_squared / (2 * rho * shares[i]));
      double cells = 1e-9;
      for (const double rows : expected[i]) {
        const double seen = rows / (rows + sigma);
        cells += seen * seen;
      }
      deserved[i] = std::pow(cells, 2.0 / 3);
      total += deserved[i];
    }
    for (size_t i = 0; i < count; ++i) {
      shares[i] = std::sqrt(shares[i] * std::max(deserved[i] / total, 1e-6));
    }
    double sum = 0;
    for (const double share : shares) sum += share;
    for (double& share : shares) share /= sum;
  }
  for (double& share : shares) share *= rho * (1 - kSlack);
  return shares;
}

Measured Measure(const std::vector<ColumnShape>& columns, const Shares& shares, Curator& curator,
                 const Progress& progress) {
  const Rational whole = curator.left();
  const size_t count = columns.size();
  const Rational for_histograms = whole * shares.histograms;
  const std::vector<double> parts = HistogramParts(columns);
  Measured measured;
  for (size_t i = 0; i < count; ++i) {
    const View own = View::Whole(columns[i].cells);
    measured.histograms.push_back(
        curator.Count({{i, &own}}, Rational(for_histograms * RationalOf(parts[i]))));
    measured.views.push_back(CoarseView(columns[i], measured.histograms.back()));
  }
  measured.rows = EstimateRows(measured.histograms);
  if (count == 1) return measured;

  std::vector<std::vector<double>> ones;
  for (size_t i = 0; i < count; ++i) {
    ones.push_back(ViewShares(measured.histograms[i], measured.views[i], measured.rows));
  }
  std::vector<std::vector<double>> expected;
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = a + 1; b < count; ++b) {
      std::vector<double>& cells = expected.emplace_back();
      for (const double x : ones[a]) {
        for (const double y : ones[b]) cells.push_back(measured.rows * x * y);
      }
      measured.pairs.push_back({.a = a, .b = b, .table = {}});
    }
  }
  const Rational for_pairs = Rational(curator.left() - whole * shares.triples);
  const std::vector<double> paid =
      PairShares(expected, ToDoubleDown(for_pairs), curator.moved().l2_squared.get_d());
  for (size_t i = 0; i < measured.pairs.size(); ++i) {
    Measured::Pair& pair = measured.pairs[i];
    pair.table =
        curator.Count({{pair.a, &measured.views[pair.a]}, {pair.b, &measured.views[pair.b]}},
                      RationalOf(paid[i]));
    if (progress) {
      progress("measuring", 100.0 * static_cast<double>(i) / static_cast<double>(paid.size()));
    }
  }
  return measured;
}

}  // namespace tacit::release
