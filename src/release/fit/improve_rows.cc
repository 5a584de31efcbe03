#include <algorithm>
#include <limits>

#include "release/fit/rows.h"

namespace tacit::release {
namespace {

using Index = Eigen::Index;

// A table, once for each of its columns: there that column runs fastest, so that what its values
// would cost stands side by side.
struct Turned {
  std::vector<size_t> columns;
  std::vector<View> views;                   // none: whole
  std::vector<std::vector<size_t>> strides;  // by the column that is fastest, then by column
  std::vector<std::vector<float>> over;      // rows there are above those that there should be
  float weight = 1;
};

// A column's place in a table or a rule.
struct Seen {
  size_t which = 0;
  size_t place = 0;
};

class Improver {
 public:
  Improver(const std::vector<size_t>& first, const Matrix& pairs,
           const std::vector<TableTarget>& tables, const RowRules& rules, Rows& rows)
      : first_(first),
        rules_(rules),
        rows_(rows),
        has_pairs_(pairs.size() > 0),
        present_(rows.size()),
        seen_(rows.size()),
        ruled_(rows.size()) {
    if (has_pairs_) CountPairs(pairs);
    for (const TableTarget& table : tables) AddTable(table);
    for (size_t c = 0; c < rows.size(); ++c) {
      weights_.push_back(has_pairs_ ? static_cast<float>(rows.size() - 1) : 0);
      for (const Seen& seen : seen_[c]) weights_[c] += tables_[seen.which].weight;
    }
    for (size_t i = 0; i < rules.impossible.size(); ++i) {
      const std::vector<size_t>& columns = rules.impossible[i].columns;
      for (size_t place = 0; place < columns.size(); ++place) {
        ruled_[columns[place]].push_back({.which = i, .place = place});
      }
    }
  }

  void Sweep(const Progress& progress) {
    const size_t count = rows_[0].size();
    for (size_t r = 0; r < count; ++r) {
      Load(r);
      for (size_t c = rules_.fixed; c < rows_.size(); ++c) {
        if (!rules_.weighing.IsOn() || c != rules_.weighing.column) Improve(r, c);
      }
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
    weight_ = rules_.weighing.Of(rows_, r);
  }

  void CountPairs(const Matrix& pairs) {
    over_ = -static_cast<float>(rules_.weighing.Total(rows_)) * pairs;
    for (size_t r = 0; r < rows_[0].size(); ++r) {
      Load(r);
      for (const Index a : present_) {
        for (const Index b : present_) over_(a, b) += weight_;
      }
    }
  }

  size_t SizeIn(const Turned& table, size_t place) const {
    return table.views.empty() ? CellsOf(table.columns[place]) : table.views[place].cells;
  }

  void AddTable(const TableTarget& target) {
    Turned table{.columns = target.columns,
                 .views = target.views,
                 .strides = {},
                 .over = {},
                 .weight = target.weight};
    const size_t ways = table.columns.size();
    std::vector<size_t> given(ways, 1);  // the strides of the target itself
    for (size_t i = ways; i-- > 1;) given[i - 1] = given[i] * SizeIn(table, i);
    for (size_t fastest = 0; fastest < ways; ++fastest) {
      std::vector<size_t>& strides = table.strides.emplace_back(ways, 1);
      size_t next = SizeIn(table, fastest);
      for (size_t i = ways; i-- > 0;) {
        if (i == fastest) continue;
        strides[i] = next;
        next *= SizeIn(table, i);
      }
      std::vector<float>& over = table.over.emplace_back(target.rows.size());
      for (size_t cell = 0; cell < over.size(); ++cell) {
        size_t at = 0;
        for (size_t i = 0; i < ways; ++i) at += strides[i] * (cell / given[i] % SizeIn(table, i));
        over[at] = -target.rows[cell];
      }
      for (size_t r = 0; r < rows_[0].size(); ++r) {
        const size_t cell = CellOf(table, fastest, r, ways);
        if (cell != kNone) over[cell] += rules_.weighing.Of(rows_, r);
      }
      seen_[table.columns[fastest]].push_back({.which = tables_.size(), .place = fastest});
    }
    tables_.push_back(std::move(table));
  }

  static constexpr size_t kNone = std::numeric_limits<size_t>::max();

  // The cell of a row, with the column at `without` at its first value; kNone where the row does
  // not count.
  size_t CellOf(const Turned& table, size_t fastest, size_t r, size_t without) const {
    const std::vector<size_t>& strides = table.strides[fastest];
    size_t cell = 0;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (i == without) continue;
      size_t value = rows_[table.columns[i]][r];
      if (!table.views.empty()) {
        value = table.views[i].cell_of[value];
        if (value == kNowhere) return kNone;
      }
      cell += strides[i] * value;
    }
    return cell;
  }

  void AddCosts(const Seen& seen, size_t r) {
    const Turned& table = tables_[seen.which];
    const size_t base = CellOf(table, seen.place, r, seen.place);
    if (base == kNone) return;
    const float* const line = table.over[seen.place].data() + base;
    if (table.views.empty()) {
      for (Index i = 0; i < cost_.size(); ++i) cost_(i) += table.weight * line[i];
      return;
    }
    const std::vector<uint16_t>& cell_of = table.views[seen.place].cell_of;
    for (size_t i = 0; i < cell_of.size(); ++i) {
      if (cell_of[i] != kNowhere) cost_(static_cast<Index>(i)) += table.weight * line[cell_of[i]];
    }
  }

  // A row leaves (below 0) or enters the tables of a column as it is now.
  void Count(const std::vector<Seen>& tables, size_t r, float rows) {
    for (const Seen& seen : tables) {
      Turned& table = tables_[seen.which];
      for (size_t fastest = 0; fastest < table.columns.size(); ++fastest) {
        const size_t cell = CellOf(table, fastest, r, table.columns.size());
        if (cell == kNone) break;
        table.over[fastest][cell] += rows;
      }
    }
  }

  // Values that would make the row impossible cost more than anything.
  bool Forbid(size_t r, size_t c) {
    bool any = false;
    for (const Seen& seen : ruled_[c]) {
      const Impossible& rule = rules_.impossible[seen.which];
      bool others = true;
      for (size_t i = 0; i < rule.columns.size() && others; ++i) {
        others = i == seen.place || rule.cells[i][rows_[rule.columns[i]][r]];
      }
      if (!others) continue;
      any = true;
      for (size_t i = 0; i < rule.cells[seen.place].size(); ++i) {
        if (rule.cells[seen.place][i]) {
          cost_(static_cast<Index>(i)) = std::numeric_limits<float>::infinity();
        }
      }
    }
    return any;
  }

  // Moving a row from one value to another changes each table that the column is in by what the row
  // counts in two cells: the sum of squares falls by twice that times what `cost` falls, less
  // twice its square for each table.
  void Improve(size_t r, size_t c) {
    const auto first = static_cast<Index>(first_[c]);
    const auto cells = static_cast<Index>(CellsOf(c));
    const Index now = present_[c] - first;
    cost_.setZero(cells);
    for (size_t b = 0; has_pairs_ && b < rows_.size(); ++b) {
      if (b != c) cost_ += over_.row(present_[b]).segment(first, cells);
    }
    for (const Seen& seen : seen_[c]) AddCosts(seen, r);
    if (!ruled_[c].empty()) Forbid(r, c);
    Index best = 0;
    const float least = cost_.minCoeff(&best);
    if (best == now || !(least + weight_ * weights_[c] < cost_(now))) return;
    for (size_t b = 0; has_pairs_ && b < rows_.size(); ++b) {
      if (b == c) continue;
      AddPair(present_[c], present_[b], -weight_);
      AddPair(first + best, present_[b], weight_);
    }
    Count(seen_[c], r, -weight_);
    present_[c] = first + best;
    rows_[c][r] = static_cast<uint16_t>(best);
    Count(seen_[c], r, weight_);
  }

  void AddPair(Index a, Index b, float rows) {
    over_(a, b) += rows;
    over_(b, a) += rows;
  }

  const std::vector<size_t>& first_;
  const RowRules& rules_;
  Rows& rows_;
  const bool has_pairs_;
  Matrix over_;  // of pairs
  std::vector<Turned> tables_;
  std::vector<Index> present_;  // the cells of the row at hand
  float weight_ = 1;            // what it counts
  std::vector<std::vector<Seen>> seen_;
  std::vector<std::vector<Seen>> ruled_;
  std::vector<float> weights_;  // of all tables that a column is in
  Eigen::RowVectorXf cost_;
};

bool IsImpossible(const Rows& rows, size_t r, const Impossible& rule) {
  for (size_t i = 0; i < rule.columns.size(); ++i) {
    if (!rule.cells[i][rows[rule.columns[i]][r]]) return false;
  }
  return true;
}

// What sweeps could not mend: rules that leave a row no value.
std::vector<size_t> TakeOutImpossible(const std::vector<Impossible>& rules, Rows& rows) {
  std::vector<size_t> taken_out;
  size_t kept = 0;
  for (size_t r = 0; r < rows[0].size(); ++r) {
    const bool good = std::none_of(rules.begin(), rules.end(), [&](const Impossible& rule) {
      return IsImpossible(rows, r, rule);
    });
    if (!good) {
      taken_out.push_back(r);
      continue;
    }
    for (std::vector<uint16_t>& column : rows) column[kept] = column[r];
    ++kept;
  }
  for (std::vector<uint16_t>& column : rows) column.resize(kept);
  return taken_out;
}

}  // namespace

std::vector<size_t> ImproveRows(const std::vector<size_t>& first, const Matrix& pairs,
                                const std::vector<TableTarget>& tables, const RowRules& rules,
                                int sweeps, Rows& rows, const Progress& progress) {
  if (rows.empty() || rows[0].empty()) return {};
  {
    Improver improver(first, pairs, tables, rules, rows);
    for (int i = 0; i < sweeps; ++i) {
      improver.Sweep(Between(progress, 100.0 * i / sweeps, 100.0 * (i + 1) / sweeps));
    }
  }
  if (rules.impossible.empty()) return {};
  return TakeOutImpossible(rules.impossible, rows);
}

}  // namespace tacit::release
