#include "learn/classify/tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tacit::learn {
namespace {

// Why 4: a deeper one is not read any more, and shares its price among more levels.
constexpr size_t kTreeDepth = 4;
// Of the price, what the counts in the leaves have; the levels share the rest.
const Rational& LeafShare() {
  static const Rational share(1, 10);
  return share;
}
// Of what the levels share, a level has half as much again as the one above, whose leaves are
// larger.
Rational LevelShare(size_t level) {
  constexpr int kParts[kTreeDepth] = {8, 12, 18, 27};
  return Rational((1 - LeafShare()) * Rational(kParts[level], 65));
}
// A question is asked where what it tells apart stands so far above the noise.
constexpr double kGainOverNoise = 1;

// Noisy numbers of rows, by class.
using TreeCounts = std::vector<double>;

double AllOf(const TreeCounts& counts) {
  double all = 0;
  for (const double count : counts) all += std::max(count, 0.0);
  return all;
}

// How many rows are of the class that a row drawn from here is guessed by: larger is purer.
double PurityOf(const TreeCounts& counts) {
  const double all = AllOf(counts);
  if (all <= 0) return 0;
  double squares = 0;
  for (const double count : counts) squares += std::max(count, 0.0) * std::max(count, 0.0);
  return squares / all;
}

void AddTo(TreeCounts& sum, const TreeCounts& counts) {
  for (size_t c = 0; c < sum.size(); ++c) sum[c] += counts[c];
}

struct TreeSplit {
  double gain = 0;
  size_t feature = 0;
  std::vector<bool> right;
};

// The best way to divide one feature's cells, given the counts in each.
TreeSplit BestSplitOf(const CellColumn& feature, const std::vector<TreeCounts>& cells,
                      double noise) {
  const size_t classes = cells[0].size();
  TreeCounts all(classes, 0);
  for (const TreeCounts& counts : cells) AddTo(all, counts);
  const size_t common = static_cast<size_t>(std::max_element(all.begin(), all.end()) - all.begin());
  std::vector<size_t> order(cells.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<double> shares;
  const double mean = AllOf(all) > 0 ? std::max(all[common], 0.0) / AllOf(all) : 0;
  for (const TreeCounts& counts : cells) {
    // Drawn to the mean where there is little but noise.
    const double few = 2 * noise * std::sqrt(static_cast<double>(classes));
    shares.push_back((std::max(counts[common], 0.0) + mean * few) / (AllOf(counts) + few));
  }
  if (feature.kind == CellKind::kCategory) {
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return shares[a] < shares[b]; });
  }
  TreeSplit best;
  TreeCounts left(classes, 0);
  for (size_t k = 0; k + 1 < order.size(); ++k) {
    AddTo(left, cells[order[k]]);
    TreeCounts right = all;
    for (size_t c = 0; c < classes; ++c) right[c] -= left[c];
    const double gain = PurityOf(left) + PurityOf(right) - PurityOf(all);
    if (gain <= best.gain) continue;
    best.gain = gain;
    best.right.assign(cells.size(), false);
    for (size_t r = k + 1; r < order.size(); ++r) best.right[order[r]] = true;
  }
  // Adding up noisy cells makes a gain of its own.
  const double own = kGainOverNoise * noise * std::sqrt(static_cast<double>(cells.size()));
  best.gain = std::max(best.gain - own, 0.0);
  return best;
}

}  // namespace

std::vector<Round> TreeRounds(const CellWish& wish) {
  std::vector<Round> rounds;
  for (size_t level = 0; level < kTreeDepth; ++level) {
    Round round{.what = "rows by leaf, cell and class, level " + std::to_string(level + 1) +
                        " of " + std::to_string(kTreeDepth),
                .tables = {},
                .nonnegative = true,
                .unit = 1,
                .share = LevelShare(level)};
    for (const CellColumn& feature : wish.features) {
      round.tables.push_back(
          {.cells = (size_t{1} << level) * feature.Cells() * wish.target.Cells(), .limit = 1});
    }
    rounds.push_back(std::move(round));
  }
  rounds.push_back({.what = "rows by leaf and class",
                    .tables = {{.cells = (size_t{1} << kTreeDepth) * wish.target.Cells()}},
                    .nonnegative = true,
                    .unit = 1,
                    .share = LeafShare()});
  return rounds;
}

// proof: learn/classify/trees.md#one-tree
CellFit TrainTree(const CellWish& wish, Rounds& rounds) {
  const size_t classes = wish.target.Cells();
  CellTree tree;
  tree.nodes.emplace_back();
  std::vector<size_t> open = {0};  // nodes of the last level, by the number that `kept` has
  for (size_t level = 0; level < kTreeDepth; ++level) {
    const std::vector<double> counted =
        rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
          const auto at = static_cast<size_t>(&tree.LeafOf(codes + 1) - tree.nodes.data());
          const auto leaf = std::find(open.begin(), open.end(), at);
          if (leaf == open.end()) return;
          const auto place = static_cast<size_t>(leaf - open.begin());
          for (size_t f = 0; f < wish.features.size(); ++f) {
            const size_t cell = place * wish.features[f].Cells() + codes[f + 1];
            summands[f] = {cell * classes + codes[0], 1};
          }
        });
    const double noise = rounds.DeviationOf(level);
    std::vector<size_t> next;
    for (size_t place = 0; place < open.size(); ++place) {
      TreeSplit best;
      size_t first = 0;
      for (size_t f = 0; f < wish.features.size(); ++f) {
        const size_t cells = wish.features[f].Cells();
        std::vector<TreeCounts> counts;
        for (size_t cell = 0; cell < cells; ++cell) {
          const double* from = counted.data() + first + (place * cells + cell) * classes;
          counts.emplace_back(from, from + classes);
        }
        first += (size_t{1} << level) * cells * classes;
        TreeSplit split = BestSplitOf(wish.features[f], counts, noise);
        split.feature = f;
        if (split.gain > best.gain) best = std::move(split);
      }
      if (best.gain <= 0) continue;
      const size_t left = tree.nodes.size();
      tree.nodes.resize(left + 2);
      CellNode& node = tree.nodes[open[place]];
      node.feature = best.feature;
      node.goes_right = best.right;
      node.left = left;
      node.right = left + 1;
      next.push_back(left);
      next.push_back(left + 1);
    }
    open = std::move(next);
  }
  std::vector<size_t> leaves;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (!tree.nodes[i].feature) leaves.push_back(i);
  }
  const std::vector<double> counted =
      rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        const auto at = static_cast<size_t>(&tree.LeafOf(codes + 1) - tree.nodes.data());
        const auto leaf = std::find(leaves.begin(), leaves.end(), at);
        summands[0] = {static_cast<size_t>(leaf - leaves.begin()) * classes + codes[0], 1};
      });
  const double noise = rounds.DeviationOf(kTreeDepth);
  CellFit fit;
  fit.class_rows.assign(classes, 0);
  for (size_t i = 0; i < leaves.size() * classes; ++i) {
    fit.class_rows[i % classes] += counted[i];
    fit.rows += counted[i];
  }
  const double rows_noise = noise * std::sqrt(static_cast<double>(leaves.size() * classes));
  fit.known = fit.rows > std::max(kRowsOverNoise3 * rows_noise, 1.0);
  if (!fit.known) return fit;
  fit.constants.assign(classes, 0);
  for (size_t place = 0; place < leaves.size(); ++place) {
    // A leaf that the noise hides says what all rows say.
    TreeCounts counts(counted.begin() + static_cast<std::ptrdiff_t>(place * classes),
                      counted.begin() + static_cast<std::ptrdiff_t>((place + 1) * classes));
    double all = 0;
    for (size_t c = 0; c < classes; ++c) {
      counts[c] = std::max(counts[c], 0.0) +
                  noise * std::max(fit.class_rows[c], 0.0) / std::max(fit.rows, 1.0);
      all += counts[c];
    }
    for (size_t c = 0; c < classes; ++c) {
      tree.nodes[leaves[place]].values.push_back(all > 0 ? counts[c] / all
                                                         : 1 / static_cast<double>(classes));
    }
  }
  fit.trees.push_back(std::move(tree));
  return fit;
}

}  // namespace tacit::learn
