#include "learn/statistics/chi_square.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace tacit::learn {
namespace {

// Why 1999: a p-value near 0.05 is then within 0.01 of itself in 95 % of cases.
constexpr int kTablesDrawn = 1999;
// Why 3: below it one can hardly say that there are rows at all.
constexpr double kTableKnown = 3;

struct Margins {
  std::vector<double> rows;  // shares of the whole
  std::vector<double> columns;
  double total = 0;
};

// Of the noisy counts; a share that the noise took below zero is none.
Margins MarginsOf(const CountTable& table) {
  Margins margins{.rows = std::vector<double>(table.rows, 0.0),
                  .columns = std::vector<double>(table.columns, 0.0)};
  for (size_t i = 0; i < table.rows; ++i) {
    for (size_t j = 0; j < table.columns; ++j) {
      const double count = table.counts[i * table.columns + j];
      margins.rows[i] += count;
      margins.columns[j] += count;
      margins.total += count;
    }
  }
  for (std::vector<double>* side : {&margins.rows, &margins.columns}) {
    for (double& share : *side) share = std::max(share, 0.0);
    const double sum = std::accumulate(side->begin(), side->end(), 0.0);
    for (double& share : *side)
      share = sum > 0 ? share / sum : 1 / static_cast<double>(side->size());
  }
  margins.total = std::max(margins.total, 0.0);
  return margins;
}

// A cell's distance from what is expected of it, in units of what chance and noise do to it.
double AddedBy(double count, double expected, double noise_variance) {
  const double distance = count - expected;
  return distance * distance / (std::max(expected, 1.0) + noise_variance);
}

double StatisticOf(const CountTable& table, const Margins& margins, ChiSquare* parts) {
  double statistic = 0;
  for (size_t i = 0; i < table.rows; ++i) {
    for (size_t j = 0; j < table.columns; ++j) {
      const double expected = margins.total * margins.rows[i] * margins.columns[j];
      const double added =
          AddedBy(table.counts[i * table.columns + j], expected, table.noise.variance());
      statistic += added;
      if (parts == nullptr) continue;
      parts->expected.push_back(expected);
      parts->added.push_back(added);
    }
  }
  return statistic;
}

// A table of so many rows whose columns are independent, with the same noise.
void DrawIndependent(const Margins& margins, Chance& chance, CountTable& table) {
  double left = std::round(margins.total);
  double share_left = 1;
  for (size_t i = 0; i < table.rows; ++i) {
    for (size_t j = 0; j < table.columns; ++j) {
      const double share = margins.rows[i] * margins.columns[j];
      const bool last = i + 1 == table.rows && j + 1 == table.columns;
      const double count =
          last ? left : chance.Binomial(left, share_left > 0 ? share / share_left : 0);
      left -= count;
      share_left -= share;
      table.counts[i * table.columns + j] = count + table.noise.Draw(chance);
    }
  }
}

}  // namespace

// proof: learn/statistics/statistics.md#chi-square
ChiSquare TestIndependence(const CountTable& table) {
  TACIT_ASSERT(table.counts.size() == table.rows * table.columns && !table.counts.empty());
  ChiSquare test;
  test.people = std::accumulate(table.counts.begin(), table.counts.end(), 0.0);
  test.people_noise = std::sqrt(table.noise.variance() * static_cast<double>(table.counts.size()));
  if (!(test.people > std::max(kTableKnown * test.people_noise, 1.0))) return test;
  const Margins margins = MarginsOf(table);
  test.statistic = StatisticOf(table, margins, &test);
  Chance chance = Chance::Of("chi_square", table.counts);
  CountTable drawn = table;
  int as_far = 0;
  for (int t = 0; t < kTablesDrawn; ++t) {
    DrawIndependent(margins, chance, drawn);
    if (StatisticOf(drawn, MarginsOf(drawn), nullptr) >= test.statistic) ++as_far;
  }
  test.p_value = (1.0 + as_far) / (1.0 + kTablesDrawn);
  return test;
}

}  // namespace tacit::learn
