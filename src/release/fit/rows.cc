#include "release/fit/rows.h"

#include <algorithm>

namespace tacit::release {
namespace {

using Index = Eigen::Index;

// A cell by shares that add up to about 1.
template <class Shares>
uint16_t DrawCell(const Shares& shares, size_t cells, Entropy& entropy) {
  double rest = Uniform(entropy);
  for (size_t i = 0; i + 1 < cells; ++i) {
    rest -= static_cast<double>(shares(i));
    if (rest < 0) return static_cast<uint16_t>(i);
  }
  return static_cast<uint16_t>(cells - 1);
}

}  // namespace

double Weighing::Total(const Rows& rows) const {
  if (!IsOn()) return static_cast<double>(rows[0].size());
  double total = 0;
  for (const uint16_t cell : rows[column]) total += static_cast<double>(weights[cell]);
  return total;
}

std::vector<double> Weighing::OfRows(const std::vector<double>& shares) const {
  std::vector<double> rows = shares;
  for (size_t i = 0; i < weights.size(); ++i) rows[i] /= static_cast<double>(weights[i]);
  const double all = RowsPerCount(shares);
  for (double& row : rows) row /= all;
  return rows;
}

double Weighing::RowsPerCount(const std::vector<double>& shares) const {
  double all = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    all += IsOn() ? shares[i] / static_cast<double>(weights[i]) : shares[i];
  }
  return all;
}

std::vector<size_t> DrawEvenly(const std::vector<double>& masses, size_t count, Entropy& entropy) {
  double all = 0;
  for (const double mass : masses) all += mass;
  std::vector<size_t> drawn;
  drawn.reserve(count);
  const double start = Uniform(entropy);
  double seen = 0;
  for (size_t i = 0; i < masses.size() && drawn.size() < count; ++i) {
    seen += masses[i] / all * static_cast<double>(count);
    while (drawn.size() < count && static_cast<double>(drawn.size()) + start < seen) {
      drawn.push_back(i);
    }
  }
  while (drawn.size() < count) drawn.push_back(masses.size() - 1);  // rounding of the sum
  for (size_t i = drawn.size(); i > 1; --i) {
    std::swap(drawn[i - 1], drawn[UniformBelow(i, entropy)]);
  }
  return drawn;
}

Rows DrawRows(const Mixture& mixture, const Targets& targets, const Weighing& weighing,
              size_t count, Entropy& entropy) {
  Rows rows(targets.columns(), std::vector<uint16_t>(count));
  const auto share = [&](size_t kind, size_t column, size_t cell) {
    return mixture.shares(static_cast<Index>(kind),
                          static_cast<Index>(targets.first[column] + cell));
  };
  // Kinds whose rows count for little have more of them: each with the cell that says so.
  std::vector<size_t> drawn;
  const size_t weights = weighing.weights.size();
  if (weighing.IsOn()) {
    std::vector<double> masses;
    for (size_t kind = 0; kind < mixture.components(); ++kind) {
      for (size_t cell = 0; cell < weights; ++cell) {
        masses.push_back(static_cast<double>(share(kind, weighing.column, cell)) /
                         static_cast<double>(weighing.weights[cell]));
      }
    }
    drawn = DrawEvenly(masses, count, entropy);
  }
  for (size_t r = 0; r < count; ++r) {
    const size_t kind = weighing.IsOn() ? drawn[r] / weights : r % mixture.components();
    for (size_t c = 0; c < targets.columns(); ++c) {
      if (weighing.IsOn() && c == weighing.column) {
        rows[c][r] = static_cast<uint16_t>(drawn[r] % weights);
        continue;
      }
      rows[c][r] =
          DrawCell([&](size_t i) { return share(kind, c, i); }, targets.CellsOf(c), entropy);
    }
  }
  return rows;
}

Rows DrawIndependent(const Targets& targets, const Weighing& weighing, size_t count,
                     Entropy& entropy) {
  Rows rows;
  for (size_t c = 0; c < targets.columns(); ++c) {
    const bool weighs = weighing.IsOn() && c == weighing.column;
    const std::vector<double>& shares = targets.ones[c];
    rows.push_back(Dealt(weighs ? weighing.OfRows(shares) : shares, count, entropy));
  }
  return rows;
}

PairTargets PairTargetsOf(const std::vector<Matrix>& pairs, const Targets& targets, double total) {
  PairTargets made;
  const bool dense = targets.IsDense();
  const auto cells = static_cast<Index>(targets.cells());
  if (dense) made.matrix = Matrix::Zero(cells, cells);
  for (size_t p = 0; p < pairs.size(); ++p) {
    const Targets::Pair& pair = targets.pairs[p];
    if (dense) {
      const auto at_a = static_cast<Index>(targets.first[pair.a]);
      const auto at_b = static_cast<Index>(targets.first[pair.b]);
      made.matrix.block(at_a, at_b, pairs[p].rows(), pairs[p].cols()) = pairs[p];
      made.matrix.block(at_b, at_a, pairs[p].cols(), pairs[p].rows()) = pairs[p].transpose();
      continue;
    }
    TableTarget& table = made.tables.emplace_back();
    table.columns = {pair.a, pair.b};
    for (Index i = 0; i < pairs[p].size(); ++i) {
      table.rows.push_back(pairs[p].data()[i] * static_cast<float>(total));
    }
  }
  return made;
}

std::vector<Matrix> PairsOf(const Rows& rows, const Targets& targets, const Weighing& weighing) {
  std::vector<Matrix> blocks;
  const size_t count = rows[0].size();
  const auto total = static_cast<float>(weighing.Total(rows));
  for (const Targets::Pair& pair : targets.pairs) {
    Matrix& block = blocks.emplace_back(Matrix::Zero(pair.raw.rows(), pair.raw.cols()));
    for (size_t r = 0; r < count; ++r) {
      block(static_cast<Index>(rows[pair.a][r]), static_cast<Index>(rows[pair.b][r])) +=
          weighing.Of(rows, r);
    }
    if (count > 0) block /= total;
  }
  return blocks;
}

}  // namespace tacit::release
