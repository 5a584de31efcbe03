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

// A table that a column is part of, seen from that column.
struct Seen {
  size_t table = 0;
  size_t stride = 0;
  std::vector<std::pair<size_t, size_t>> others;  // columns and their strides
};

class Improver {
 public:
  Improver(const std::vector<size_t>& first, const Matrix& pairs,
           const std::vector<TableTarget>& tables, Rows& rows)
      : first_(first), rows_(rows), present_(rows.size()), seen_(rows.size()) {
    has_pairs_ = pairs.size() > 0;
    if (has_pairs_) CountPairs(pairs);
    for (const TableTarget& table : tables) AddTable(table);
  }

  void Sweep(const Progress& progress) {
    const size_t count = rows_[0].size();
    for (size_t r = 0; r < count; ++r) {
      Load(r);
      for (size_t c = 0; c < rows_.size(); ++c) Improve(r, c);
      if (progress && r % 65536 == 0) {
        progress("writing rows", 100.0 * static_cast<double>(r) / static_cast<double>(count));
      }
    }
  }

 private:
  size_t CellsOf(size_t column) const { return first_[column + 1] - first_[column]; }

  void Load(size_t r) {
    for (size_t c = 0; c < rows_.size(); ++c) {
      present_[c] = static_cast<Index>(first_[c] + rows_[c][r]);
    }
  }

  void CountPairs(const Matrix& pairs) {
    over_ = -static_cast<float>(rows_[0].size()) * pairs;
    for (size_t r = 0; r < rows_[0].size(); ++r) {
      Load(r);
      for (const Index a : present_) {
        for (const Index b : present_) over_(a, b) += 1;
      }
    }
  }

  void AddTable(const TableTarget& table) {
    std::vector<size_t> strides(table.columns.size(), 1);
    for (size_t i = strides.size(); i-- > 1;) {
      strides[i - 1] = strides[i] * CellsOf(table.columns[i]);
    }
    std::vector<float> over(table.rows.size());
    for (size_t i = 0; i < over.size(); ++i) over[i] = -table.rows[i];
    for (size_t r = 0; r < rows_[0].size(); ++r) {
      size_t cell = 0;
      for (size_t i = 0; i < strides.size(); ++i) cell += strides[i] * rows_[table.columns[i]][r];
      over[cell] += 1;
    }
    for (size_t i = 0; i < strides.size(); ++i) {
      Seen seen{.table = tables_over_.size(), .stride = strides[i], .others = {}};
      for (size_t j = 0; j < strides.size(); ++j) {
        if (j != i) seen.others.emplace_back(table.columns[j], strides[j]);
      }
      seen_[table.columns[i]].push_back(std::move(seen));
    }
    tables_over_.push_back(std::move(over));
  }

  float* Line(const Seen& seen, size_t r) {
    size_t base = 0;
    for (const auto& [column, stride] : seen.others) base += stride * rows_[column][r];
    return tables_over_[seen.table].data() + base;
  }

  // Moving a row from one value to another changes each table that the column is in by one row in
  // two cells: the sum of squares falls by twice what `cost` falls, less 2 for each table.
  void Improve(size_t r, size_t c) {
    const auto first = static_cast<Index>(first_[c]);
    const auto cells = static_cast<Index>(CellsOf(c));
    cost_.setZero(cells);
    for (size_t b = 0; has_pairs_ && b < rows_.size(); ++b) {
      if (b != c) cost_ += over_.row(present_[b]).segment(first, cells);
    }
    for (const Seen& seen : seen_[c]) {
      const float* const line = Line(seen, r);
      for (Index i = 0; i < cells; ++i) cost_(i) += line[static_cast<size_t>(i) * seen.stride];
    }
    Index best = 0;
    const float least = cost_.minCoeff(&best);
    const Index now = present_[c] - first;
    const size_t tables = (has_pairs_ ? rows_.size() - 1 : 0) + seen_[c].size();
    if (best == now || least + static_cast<float>(tables) >= cost_(now)) return;
    for (size_t b = 0; has_pairs_ && b < rows_.size(); ++b) {
      if (b == c) continue;
      Add(present_[c], present_[b], -1);
      Add(first + best, present_[b], 1);
    }
    for (const Seen& seen : seen_[c]) {
      float* const line = Line(seen, r);
      line[static_cast<size_t>(now) * seen.stride] -= 1;
      line[static_cast<size_t>(best) * seen.stride] += 1;
    }
    present_[c] = first + best;
    rows_[c][r] = static_cast<uint16_t>(best);
  }

  void Add(Index a, Index b, float rows) {
    over_(a, b) += rows;
    over_(b, a) += rows;
  }

  const std::vector<size_t>& first_;
  Rows& rows_;
  bool has_pairs_ = false;
  Matrix over_;  // rows there are above those that there should be
  std::vector<std::vector<float>> tables_over_;
  std::vector<Index> present_;  // the cells of the row at hand
  std::vector<std::vector<Seen>> seen_;
  Eigen::RowVectorXf cost_;
};

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

void ImproveRows(const std::vector<size_t>& first, const Matrix& pairs,
                 const std::vector<TableTarget>& tables, int sweeps, Rows& rows,
                 const Progress& progress) {
  if (rows.empty() || rows[0].empty()) return;
  Improver improver(first, pairs, tables, rows);
  for (int i = 0; i < sweeps; ++i) improver.Sweep(progress);
}

Matrix PairsOf(const Rows& rows, const Targets& targets) {
  const auto cells = static_cast<Index>(targets.cells());
  Matrix pairs = Matrix::Zero(cells, cells);
  const size_t count = rows[0].size();
  for (size_t r = 0; r < count; ++r) {
    for (size_t a = 0; a < rows.size(); ++a) {
      for (size_t b = 0; b < rows.size(); ++b) {
        if (a == b) continue;
        pairs(static_cast<Index>(targets.first[a] + rows[a][r]),
              static_cast<Index>(targets.first[b] + rows[b][r])) += 1;
      }
    }
  }
  if (count > 0) pairs /= static_cast<float>(count);
  return pairs;
}

}  // namespace tacit::release
