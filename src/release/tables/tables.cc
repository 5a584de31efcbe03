#include "release/tables/tables.h"

#include <algorithm>
#include <cmath>

#include "release/fit/rows.h"

namespace tacit::release {
namespace {

constexpr double kPaymentSlack = 1e-6;  // for what rounding may add to payments
constexpr int kTableSweeps = 8;         // after which rows hardly move any more

struct Noisy {
  TableColumns columns;
  NoisyTable table;
};

double RowsIn(const std::vector<Noisy>& noisy) {
  double sum = 0;
  double weights = 0;
  for (const Noisy& one : noisy) {
    const double weight = 1 / (one.table.variance * static_cast<double>(one.table.counts.size()));
    for (const double count : one.table.counts) sum += weight * count;
    weights += weight;
  }
  return std::max(0.0, sum / weights);
}

// A column's counts, from every table that it is in, by precision.
std::vector<double> MarginOf(size_t column, size_t cells, const std::vector<ColumnShape>& shapes,
                             const std::vector<Noisy>& noisy) {
  std::vector<double> sums(cells);
  double weights = 0;
  for (const Noisy& one : noisy) {
    const auto place = std::find(one.columns.begin(), one.columns.end(), column);
    if (place == one.columns.end()) continue;
    size_t stride = 1;
    for (auto later = place + 1; later != one.columns.end(); ++later)
      stride *= shapes[*later].cells;
    const double others = static_cast<double>(one.table.counts.size() / cells);
    const double weight = 1 / (one.table.variance * others);
    for (size_t i = 0; i < one.table.counts.size(); ++i) {
      sums[i / stride % cells] += weight * one.table.counts[i];
    }
    weights += weight;
  }
  for (double& sum : sums) sum /= weights;
  return sums;
}

std::vector<uint64_t> CountRows(const Rows& rows, const TableColumns& table,
                                const std::vector<ColumnShape>& shapes) {
  std::vector<uint64_t> counts(CellsOf(table, shapes));
  for (size_t r = 0; r < rows[0].size(); ++r) {
    size_t cell = 0;
    for (const size_t column : table) cell = cell * shapes[column].cells + rows[column][r];
    ++counts[cell];
  }
  return counts;
}

}  // namespace

size_t CellsOf(const TableColumns& table, const std::vector<ColumnShape>& columns) {
  size_t cells = 1;
  for (const size_t column : table) cells *= columns[column].cells;
  return cells;
}

std::vector<double> TableParts(const std::vector<ColumnShape>& columns,
                               const std::vector<TableColumns>& tables) {
  std::vector<double> parts;
  double sum = 0;
  for (const TableColumns& table : tables) {
    parts.push_back(std::cbrt(static_cast<double>(CellsOf(table, columns))));
    sum += parts.back();
  }
  for (double& part : parts) part *= (1 - kPaymentSlack) / sum;
  return parts;
}

// proof: release/proof.md#6-the-rest-is-post-processing
ReleasedTables MeasureTables(const Joint& exact, const std::vector<ColumnShape>& columns,
                             const std::vector<TableColumns>& tables, const Moved& moved,
                             const Rho& rho, size_t rows_max, Entropy& entropy,
                             const Progress& progress) {
  Curator curator(exact, moved, rho, entropy);
  std::vector<View> views;
  for (const ColumnShape& column : columns) views.push_back(View::Whole(column.cells));
  const std::vector<double> parts = TableParts(columns, tables);
  std::vector<Noisy> noisy;
  for (size_t t = 0; t < tables.size(); ++t) {
    std::vector<Side> sides;
    for (const size_t column : tables[t]) sides.push_back({column, &views[column]});
    noisy.push_back({tables[t], curator.Count(sides, Rational(rho.value * RationalOf(parts[t])))});
  }
  ReleasedTables released;
  released.rows = std::min<uint64_t>(rows_max, static_cast<uint64_t>(std::llround(RowsIn(noisy))));
  Rows rows;
  std::vector<size_t> first = {0};
  const double total = std::max(1.0, static_cast<double>(released.rows));
  for (size_t c = 0; c < columns.size(); ++c) {
    std::vector<double> shares = MarginOf(c, columns[c].cells, columns, noisy);
    for (double& share : shares) share /= total;
    rows.push_back(Dealt(OntoSimplex(shares), released.rows, entropy));
    first.push_back(first.back() + columns[c].cells);
  }
  std::vector<TableTarget> targets;
  for (const Noisy& one : noisy) {
    // Cells of nobody have noise too: what is nearest without negative counts.
    std::vector<double> shares;
    for (const double count : one.table.counts) shares.push_back(count / total);
    TableTarget& target = targets.emplace_back();
    target.columns = one.columns;
    for (const double share : OntoSimplex(shares)) {
      target.rows.push_back(static_cast<float>(share * total));
    }
  }
  ImproveRows(first, Matrix(), targets, {}, kTableSweeps, rows, progress);
  for (size_t t = 0; t < tables.size(); ++t) {
    released.tables.push_back({.counts = CountRows(rows, tables[t], columns),
                               .sigma = std::sqrt(noisy[t].table.variance)});
  }
  return released;
}

}  // namespace tacit::release
