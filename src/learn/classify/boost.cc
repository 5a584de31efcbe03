#include "learn/classify/boost.h"

#include <algorithm>
#include <cmath>

#include "base/secrets/digest.h"
#include "learn/classify/margins.h"

namespace tacit::learn {
namespace {

constexpr size_t kBoostDepth = 4;
constexpr size_t kBoostLeaves = size_t{1} << kBoostDepth;
// Why 80 and 160: Laplace noise grows with the number of trees, Gaussian noise with its root.
constexpr size_t kBoostTrees = 80;
constexpr size_t kBoostTreesGaussian = 160;
// Of a leaf's Newton step, what is taken.
constexpr double kBoostRate = 0.5;
constexpr double kLeafMost = 2;
// Added to what a leaf's pull is divided by: so many deviations of its noise, and so many rows.
constexpr double kBoostNoises = 3;
constexpr double kBoostRows = 20;

size_t TreesOf(const CellWish& wish) { return wish.gaussian ? kBoostTreesGaussian : kBoostTrees; }

// Public numbers that look random: the same for the same question.
class PublicDraws {
 public:
  explicit PublicDraws(size_t tree) : begin_("tacit boosted trees 1 " + std::to_string(tree)) {}
  size_t Below(size_t bound) {
    const std::string hex = Sha256Hex(begin_ + " " + std::to_string(next_++));
    return std::stoull(hex.substr(0, 15), nullptr, 16) % bound;
  }

 private:
  std::string begin_;
  size_t next_ = 0;
};

// Which cells go right: from one on, or about half of them.
std::vector<bool> DrawnSides(const CellColumn& feature, PublicDraws& draws) {
  const size_t cells = feature.Cells();
  std::vector<bool> right(cells, false);
  if (feature.kind != CellKind::kCategory) {
    const size_t from = 1 + draws.Below(cells - 1);
    for (size_t i = from; i < cells; ++i) right[i] = true;
    return right;
  }
  for (size_t i = 0; i < cells; ++i) right[i] = draws.Below(2) == 1;
  const size_t one = draws.Below(cells);
  right[one] = true;
  right[(one + 1) % cells] = false;
  return right;
}

// A full tree: node i has the children 2i + 1 and 2i + 2; its leaves say nothing yet.
CellTree DrawnTree(const CellWish& wish, size_t number) {
  PublicDraws draws(number);
  CellTree tree;
  for (size_t i = 0; i < 2 * kBoostLeaves - 1; ++i) {
    CellNode& node = tree.nodes.emplace_back();
    if (i >= kBoostLeaves - 1) {
      node.values = {0};
      continue;
    }
    node.feature = draws.Below(wish.features.size());
    node.goes_right = DrawnSides(wish.features[*node.feature], draws);
    node.left = 2 * i + 1;
    node.right = 2 * i + 2;
  }
  return tree;
}

size_t LeafIn(const CellTree& tree, const uint16_t* cells) {
  return static_cast<size_t>(&tree.LeafOf(cells) - tree.nodes.data()) - (kBoostLeaves - 1);
}

}  // namespace

std::vector<Round> BoostRounds(const CellWish& wish) {
  const size_t trees = TreesOf(wish);
  Round round{.what = "",
              .tables = {{.cells = kBoostLeaves, .limit = kMarginUnits},
                         {.cells = kBoostLeaves, .limit = kMarginUnits / 4}},
              .nonnegative = false,
              .unit = Rational(1, kMarginUnits),
              .share = MakeRational(1, static_cast<Int128>(trees))};
  std::vector<Round> rounds;
  for (size_t t = 1; t <= trees; ++t) {
    round.what = "pulls of the rows in each leaf, and how they bend, tree " + std::to_string(t) +
                 " of " + std::to_string(trees);
    rounds.push_back(round);
  }
  return rounds;
}

// proof: learn/classify/trees.md#boosting
CellFit TrainBoost(const CellWish& wish, Rounds& rounds) {
  CellFit fit;
  fit.constants = {0};
  std::vector<int64_t> said(kBoostLeaves, 0);  // by the leaves of the tree before, in 1024ths
  for (size_t t = 0; t < TreesOf(wish); ++t) {
    CellTree tree = DrawnTree(wish, t);
    const std::vector<double> sums =
        rounds.Next([&](const uint16_t* codes, int64_t& margin, Rounds::Summand* summands) {
          if (t > 0) margin += said[LeafIn(fit.trees.back(), codes + 1)];
          const bool second = codes[0] == 1;
          const int64_t pull = PullOf(CellTask::kLogistic, second, margin);
          const int64_t likely = second ? kMarginUnits - pull : -pull;
          const size_t leaf = LeafIn(tree, codes + 1);
          summands[0] = {leaf, pull};
          summands[1] = {leaf, likely * (kMarginUnits - likely) / kMarginUnits};
        });
    const double noise = rounds.DeviationOf(t);
    if (t == 0) {
      // Each row bends by a quarter where nothing is known.
      double bends = 0;
      for (size_t leaf = 0; leaf < kBoostLeaves; ++leaf) bends += sums[kBoostLeaves + leaf];
      fit.rows = 4 * bends;
      fit.known = fit.rows > kRowsOverNoise3 * 4 * noise * std::sqrt(double{kBoostLeaves});
    }
    for (size_t leaf = 0; leaf < kBoostLeaves; ++leaf) {
      const double bends = std::max(sums[kBoostLeaves + leaf], 0.0);
      const double step = sums[leaf] / (bends + kBoostNoises * noise + kBoostRows);
      const double value = kBoostRate * std::clamp(step, -kLeafMost, kLeafMost);
      said[leaf] = std::llround(value * double{kMarginUnits});
      tree.nodes[kBoostLeaves - 1 + leaf].values = {static_cast<double>(said[leaf]) /
                                                    double{kMarginUnits}};
    }
    fit.trees.push_back(std::move(tree));
  }
  if (!fit.known) return {.known = false, .rows = fit.rows};
  return fit;
}

}  // namespace tacit::learn
