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

Rows DrawRows(const Mixture& mixture, const Targets& targets, size_t count, Entropy& entropy) {
  Rows rows(targets.columns(), std::vector<uint16_t>(count));
  for (size_t r = 0; r < count; ++r) {
    const auto kind = static_cast<Index>(r % mixture.components());
    for (size_t c = 0; c < targets.columns(); ++c) {
      const auto shares = [&](size_t i) {
        return mixture.shares(kind, static_cast<Index>(targets.first[c] + i));
      };
      rows[c][r] = DrawCell(shares, targets.CellsOf(c), entropy);
    }
  }
  return rows;
}

Rows DrawIndependent(const Targets& targets, size_t count, Entropy& entropy) {
  Rows rows;
  for (const std::vector<double>& shares : targets.ones) {
    rows.push_back(Dealt(shares, count, entropy));
  }
  return rows;
}

PairTargets PairTargetsOf(const std::vector<Matrix>& pairs, const Targets& targets, size_t count) {
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
      table.rows.push_back(pairs[p].data()[i] * static_cast<float>(count));
    }
  }
  return made;
}

std::vector<Matrix> PairsOf(const Rows& rows, const Targets& targets) {
  std::vector<Matrix> blocks;
  const size_t count = rows[0].size();
  for (const Targets::Pair& pair : targets.pairs) {
    Matrix& block = blocks.emplace_back(Matrix::Zero(pair.raw.rows(), pair.raw.cols()));
    for (size_t r = 0; r < count; ++r) {
      block(static_cast<Index>(rows[pair.a][r]), static_cast<Index>(rows[pair.b][r])) += 1;
    }
    if (count > 0) block /= static_cast<float>(count);
  }
  return blocks;
}

}  // namespace tacit::release
