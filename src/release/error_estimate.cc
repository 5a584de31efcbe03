#include "release/error_estimate.h"

#include <algorithm>
#include <cmath>

namespace tacit::release {

PairDistance EstimateError(const Rows& rows, const Weighing& weighing, const Measured& measured,
                           const Rational& rho, size_t threads, Curator& curator) {
  std::vector<ColumnPair> pairs;
  const std::vector<ColumnPair> all = AllPairs(measured.views.size());
  const size_t taken = std::min(all.size(), kEstimatedPairs);
  for (size_t i = 0; i < taken; ++i) pairs.push_back(all[i * all.size() / taken]);
  std::vector<std::vector<Side>> tables;
  for (const auto& [a, b] : pairs) {
    tables.push_back({{a, &measured.views[a]}, {b, &measured.views[b]}});
  }
  const double total = std::max(1.0, measured.rows);
  const size_t count = rows[0].size();
  // Another number of rows than the table's may have been asked for: shares are compared.
  const double scale = count > 0 ? total / weighing.Total(rows) : 0;
  const auto known = [&](size_t t) {
    const auto [a, b] = pairs[t];
    std::vector<double> cells(CellsOf(tables[t]));
    for (size_t r = 0; r < count; ++r) {
      cells[rows[a][r] * measured.views[b].cells + rows[b][r]] +=
          scale * static_cast<double>(weighing.Of(rows, r));
    }
    Curator::Known made;
    for (const double cell : cells) made.rows.push_back(std::llround(cell));
    return made;
  };
  const Curator::Distance distance = curator.DistanceFrom(tables, known, rho, threads);
  const double per_table = 2 * total * static_cast<double>(pairs.size());
  return {.total_variation = std::clamp(distance.rows / per_table, 0.0, 1.0),
          .noise = distance.sigma / per_table};
}

}  // namespace tacit::release
