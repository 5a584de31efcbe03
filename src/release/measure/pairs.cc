#include "release/measure/pairs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tacit::release {
namespace {

// The number of rows is what every table adds up to; the noise of that grows with its cells. Views
// leave out a NULL that was taken for none: then nobody is missing in their tables.
double EstimateRows(const Measured& measured) {
  double sum = 0;
  double weights = 0;
  const auto add = [&](const NoisyTable& table) {
    const double weight = 1 / (table.variance * static_cast<double>(table.counts.size()));
    for (const double count : table.counts) sum += weight * count;
    weights += weight;
  };
  for (const NoisyTable& histogram : measured.histograms) add(histogram);
  for (const Measured::Pair& pair : measured.pairs) add(pair.table);
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

std::vector<std::vector<double>> Ones(const Measured& measured) {
  std::vector<std::vector<double>> ones;
  for (size_t i = 0; i < measured.views.size(); ++i) {
    ones.push_back(ViewShares(measured.histograms[i], measured.views[i], measured.rows));
  }
  return ones;
}

// What independent columns put into the cells of two of them.
std::vector<double> Expected(const ColumnPair& pair, const std::vector<std::vector<double>>& ones,
                             double rows) {
  std::vector<double> cells;
  for (const double x : ones[pair.first]) {
    for (const double y : ones[pair.second]) cells.push_back(rows * x * y);
  }
  return cells;
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

Measured MeasureHistograms(const std::vector<ColumnShape>& columns, const Rational& rho,
                           Curator& curator) {
  const std::vector<double> parts = HistogramParts(columns);
  Measured measured;
  for (size_t i = 0; i < columns.size(); ++i) {
    const View own = View::Whole(columns[i].cells);
    measured.histograms.push_back(curator.Count({{i, &own}}, Rational(rho * RationalOf(parts[i]))));
    measured.views.push_back(CoarseView(columns[i], measured.histograms.back()));
  }
  measured.rows = EstimateRows(measured);
  return measured;
}

std::vector<ColumnPair> AllPairs(size_t columns) {
  std::vector<ColumnPair> pairs;
  for (size_t a = 0; a < columns; ++a) {
    for (size_t b = a + 1; b < columns; ++b) pairs.emplace_back(a, b);
  }
  return pairs;
}

std::vector<ColumnPair> ChoosePairs(const Measured& measured, size_t wanted, const Rational& rho,
                                    const Rational& for_counting, size_t threads,
                                    Curator& curator) {
  const std::vector<ColumnPair> all = AllPairs(measured.views.size());
  if (wanted >= all.size()) return all;
  const std::vector<std::vector<double>> ones = Ones(measured);
  const double sigma = curator.SigmaFor(for_counting.get_d() / static_cast<double>(wanted));
  std::vector<std::vector<Side>> sides;
  for (const auto& [a, b] : all)
    sides.push_back({{a, &measured.views[a]}, {b, &measured.views[b]}});
  const auto known = [&](size_t p) {
    Curator::Known independent;
    double noise = 0;
    for (const double rows : Expected(all[p], ones, measured.rows)) {
      independent.rows.push_back(std::llround(rows));
      noise += std::min(1.0, rows / sigma);
    }
    independent.allowance = std::llround(std::sqrt(2 / std::numbers::pi) * sigma * noise);
    return independent;
  };
  std::vector<ColumnPair> chosen;
  for (const size_t p : curator.Farthest(sides, known, wanted, rho, threads)) {
    chosen.push_back(all[p]);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Progress Between(const Progress& whole, double from, double to) {
  if (!whole) return nullptr;
  return [=](const std::string& doing, double percent) {
    whole(doing, from + percent / 100 * (to - from));
  };
}

void MeasurePairs(const std::vector<ColumnPair>& pairs, const Rational& rho, Measured& measured,
                  Curator& curator, const Progress& progress) {
  const std::vector<std::vector<double>> ones = Ones(measured);
  std::vector<std::vector<double>> expected;
  for (const ColumnPair& pair : pairs) expected.push_back(Expected(pair, ones, measured.rows));
  const std::vector<double> paid = PairShares(expected, ToDoubleDown(rho), curator.L2Squared());
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    measured.pairs.push_back(
        {.a = a,
         .b = b,
         .table = curator.Count({{a, &measured.views[a]}, {b, &measured.views[b]}},
                                RationalOf(paid[i]))});
    if (progress) {
      progress("measuring", 100.0 * static_cast<double>(i) / static_cast<double>(paid.size()));
    }
  }
  measured.rows = EstimateRows(measured);
}

}  // namespace tacit::release
