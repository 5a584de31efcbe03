#include "plan/workload/range_precisions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::plan::workload {
namespace {

// Where factors begin, and where a smaller one is worth nothing.
constexpr double kWidestFactor = 4;
constexpr double kNarrowestFactor = 1.01;

// Keys and the first digits, from none on.
std::vector<AttributeSet> LevelsOf(const RangeSum& sum) {
  std::vector<AttributeSet> levels = {sum.keys};
  for (const size_t digit : sum.digits) {
    levels.push_back(levels.back() | AttributeSet{1} << digit);
  }
  return levels;
}

// Squared lengths of what the weights of a range say by each digit beyond those before it.
std::vector<double> PartsOf(const CellCounts& counts, const RangeSum& sum) {
  size_t size = 1;
  for (const size_t digit : sum.digits) size *= counts[digit];
  std::vector<double> parts;
  double before = 0;
  for (size_t level = 0; level <= sum.digits.size(); ++level) {
    if (level > 0) size /= counts[sum.digits[level - 1]];
    // A node of so many numbers has the mean weight of those that lie in the range.
    double squared = 0;
    for (size_t node = sum.from / size; node * size <= sum.to; ++node) {
      const size_t first = std::max(sum.from, node * size);
      const size_t last = std::min(sum.to, (node + 1) * size - 1);
      const auto overlap = static_cast<double>(last - first + 1);
      squared += overlap * overlap / static_cast<double>(size);
    }
    parts.push_back(std::max(0.0, squared - before));
    before = squared;
  }
  return parts;
}

// Ranges by the same keys and digits, and what their levels are measured with.
class Tree {
 public:
  Tree(const CellCounts& counts, std::vector<const RangeWish*> wishes)
      : wishes_(std::move(wishes)), levels_(LevelsOf(wishes_[0]->sum)) {
    for (const RangeWish* wish : wishes_) parts_.push_back(PartsOf(counts, wish->sum));
    for (const AttributeSet level : levels_) cells_.push_back(CellsIn(counts, level));
  }

  // One level after the other is measured more or less, as long as that helps.
  Precisions Cheapest() const {
    std::vector<double> shares(levels_.size(), 1);
    double price = PriceOf(shares);
    for (double factor = kWidestFactor; factor > kNarrowestFactor; factor = std::sqrt(factor)) {
      for (bool helped = true; helped;) {
        helped = false;
        for (size_t i = 0; i < shares.size(); ++i) {
          // Without the last level nothing would say what the parts of the one before are.
          for (const double by : {factor, 1 / factor, i + 1 < shares.size() ? 0.0 : factor}) {
            std::vector<double> other = shares;
            other[i] *= by;
            const double cheaper = PriceOf(other);
            if (!(cheaper < price * (1 - 1e-9))) continue;
            price = cheaper;
            shares = std::move(other);
            helped = true;
          }
        }
      }
    }
    const double scale = Worst(shares);
    Precisions chosen;
    for (size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] > 0) chosen[levels_[i]] = shares[i] * scale;
    }
    return chosen;
  }

 private:
  // By how much the worst range is beyond its wish.
  double Worst(const std::vector<double>& shares) const {
    std::vector<double> known(shares.size(), 0);
    double worst = 0;
    for (size_t i = shares.size(); i-- > 0;) {
      known[i] = shares[i] * cells_.back() / cells_[i];
      if (i + 1 < shares.size()) known[i] += known[i + 1];
    }
    for (size_t w = 0; w < wishes_.size(); ++w) {
      double variance = 0;
      for (size_t i = 0; i < known.size(); ++i) {
        if (parts_[w][i] > 0) variance += parts_[w][i] / known[i];
      }
      worst = std::max(worst, variance / wishes_[w]->variance);
    }
    return worst;
  }

  double PriceOf(const std::vector<double>& shares) const {
    double sum = 0;
    for (const double share : shares) sum += share;
    return sum * Worst(shares);
  }

  std::vector<const RangeWish*> wishes_;
  std::vector<AttributeSet> levels_;
  std::vector<std::vector<double>> parts_;  // of each wish
  std::vector<double> cells_;               // of each level
};

}  // namespace

// proof: plan/workload/least_squares.md#ranges
double VarianceOf(const CellCounts& counts, const Precisions& measured, const RangeSum& sum) {
  const std::vector<AttributeSet> levels = LevelsOf(sum);
  const std::vector<double> parts = PartsOf(counts, sum);
  const double cells = CellsIn(counts, levels.back());
  double variance = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (parts[i] <= 0) continue;
    const double own = CellsIn(counts, levels[i]);
    variance += parts[i] / (PrecisionOf(counts, measured, levels[i]) * cells / own);
  }
  return variance;
}

Precisions PrecisionsOfRanges(const CellCounts& counts, const std::vector<RangeWish>& wished) {
  std::map<std::pair<AttributeSet, std::vector<size_t>>, std::vector<const RangeWish*>> trees;
  for (const RangeWish& wish : wished) trees[{wish.sum.keys, wish.sum.digits}].push_back(&wish);
  Precisions chosen;
  for (auto& [of, wishes] : trees) {
    for (const auto& [set, precision] : Tree(counts, std::move(wishes)).Cheapest()) {
      chosen[set] += precision;
    }
  }
  return chosen;
}

}  // namespace tacit::plan::workload
