#include "learn/classify/margins.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace tacit::learn {
namespace {

// Why 8 and 12: fewer stop before the margins are there, more share the price among more noise,
// and Gaussian noise grows more slowly with their number.
size_t StepsOf(const CellWish& wish) { return wish.gaussian ? 12 : 8; }
// Why a fifth and a tenth: the directions only steer the steps; what is learned comes from the
// pulls.
Rational DirectionShare(const CellWish& wish) {
  return wish.gaussian ? Rational(1, 10) : Rational(1, 5);
}
// The model is the mean of the last three: their noise is partly different.
constexpr size_t kMarginsMeant = 3;
// Why 2^21: a thousand cells of a row still add up to far below 2^63.
constexpr int64_t kWeightMost = int64_t{1} << 21;

// 1024 / (1 + e^-x) at x = 0, 1/4, 1/2, ..., 8.
constexpr std::array<int64_t, 33> kLogistic = {512,  576,  637,  695,  749,  796,  837,  872,  902,
                                               926,  946,  962,  975,  986,  994,  1000, 1006, 1010,
                                               1013, 1015, 1017, 1019, 1020, 1021, 1021, 1022, 1022,
                                               1023, 1023, 1023, 1023, 1024, 1024};
constexpr int64_t kLogisticStep = kMarginUnits / 4;

// How likely the second class is, in 1024ths: straight between the points above.
int64_t LogisticOf(int64_t margin) {
  if (margin < 0) return kMarginUnits - LogisticOf(-margin);
  const int64_t at = margin / kLogisticStep;
  if (at + 1 >= static_cast<int64_t>(kLogistic.size())) return kMarginUnits;
  const int64_t low = kLogistic[static_cast<size_t>(at)];
  const int64_t high = kLogistic[static_cast<size_t>(at) + 1];
  return low + (high - low) * (margin % kLogisticStep) / kLogisticStep;
}

// The most that a loss bends.
double BendOf(CellTask task) { return task == CellTask::kSvm ? 0.5 : 0.25; }

// Where each feature's cells begin among all.
std::vector<size_t> FirstCells(const CellWish& wish) {
  std::vector<size_t> first = {0};
  for (const CellColumn& feature : wish.features) first.push_back(first.back() + feature.Cells());
  return first;
}

// Numbers of rows by pairs of cells, and what their noise hides.
struct MarginDirections {
  Eigen::MatrixXd vectors;
  Eigen::VectorXd inverse;  // of the eigenvalues, none larger than the noise lets be known
  double rows = 0;
  double rows_noise = 0;
};

MarginDirections DirectionsOf(const CellWish& wish, const std::vector<double>& counted,
                              double noise) {
  const std::vector<size_t> first = FirstCells(wish);
  const auto cells = static_cast<Eigen::Index>(first.back());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(cells, cells);
  size_t at = 0;
  double weighted = 0;
  double weights = 0;
  for (size_t i = 0; i < wish.features.size(); ++i) {
    double sum = 0;
    for (size_t a = first[i]; a < first[i + 1]; ++a) {
      const auto x = static_cast<Eigen::Index>(a);
      sum += counted[at];
      gram(x, x) = counted[at++];
    }
    weighted += sum / static_cast<double>(wish.features[i].Cells());
    weights += 1 / static_cast<double>(wish.features[i].Cells());
    for (size_t j = i + 1; j < wish.features.size(); ++j) {
      for (size_t a = first[i]; a < first[i + 1]; ++a) {
        for (size_t b = first[j]; b < first[j + 1]; ++b) {
          const auto x = static_cast<Eigen::Index>(a);
          const auto y = static_cast<Eigen::Index>(b);
          gram(x, y) = gram(y, x) = counted[at++];
        }
      }
    }
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  // About half of the largest eigenvalue of noise alone.
  const double hidden = std::max(noise * std::sqrt(static_cast<double>(cells)), 1.0);
  return {.vectors = solver.eigenvectors(),
          .inverse = solver.eigenvalues().cwiseMax(hidden).cwiseInverse(),
          .rows = weighted / weights,
          .rows_noise = noise / std::sqrt(weights)};
}

int64_t WholeWeight(double weight) {
  const double most = static_cast<double>(kWeightMost);
  return std::llround(std::clamp(weight * static_cast<double>(kMarginUnits), -most, most));
}

}  // namespace

int64_t PullOf(CellTask task, bool second, int64_t margin) {
  if (task == CellTask::kSvm) {
    // Huber's hinge, of half width 1: from 1 where the margin is against the class to 0 where it is
    // 2 for it.
    const int64_t own = second ? margin : -margin;
    const int64_t pull = std::clamp<int64_t>((2 * kMarginUnits - own) / 2, 0, kMarginUnits);
    return second ? pull : -pull;
  }
  return (second ? kMarginUnits : 0) - LogisticOf(margin);
}

std::vector<Round> MarginRounds(const CellWish& wish) {
  const size_t steps = StepsOf(wish);
  Round pairs{.what = "rows by pairs of cells",
              .tables = {},
              .nonnegative = true,
              .unit = 1,
              .share = DirectionShare(wish)};
  Round pulls{.what = "pulls of the rows on each cell",
              .tables = {},
              .nonnegative = false,
              .unit = Rational(1, kMarginUnits),
              .share = Rational((1 - DirectionShare(wish)) / Integer(steps))};
  for (size_t i = 0; i < wish.features.size(); ++i) {
    const size_t cells = wish.features[i].Cells();
    pulls.tables.push_back({.cells = cells, .limit = kMarginUnits});
    pairs.tables.push_back({.cells = cells, .limit = 1});
    for (size_t j = i + 1; j < wish.features.size(); ++j) {
      pairs.tables.push_back({.cells = cells * wish.features[j].Cells(), .limit = 1});
    }
  }
  std::vector<Round> rounds = {pairs};
  for (size_t t = 1; t <= steps; ++t) {
    rounds.push_back(pulls);
    rounds.back().what += ", step " + std::to_string(t) + " of " + std::to_string(steps);
  }
  return rounds;
}

// proof: learn/classify/margins.md#the-steps
CellFit TrainMargins(const CellWish& wish, Rounds& rounds) {
  const size_t features = wish.features.size();
  const std::vector<double> counted =
      rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        for (size_t i = 0; i < features; ++i) {
          *summands++ = {codes[i + 1], 1};
          for (size_t j = i + 1; j < features; ++j) {
            *summands++ = {codes[i + 1] * wish.features[j].Cells() + codes[j + 1], 1};
          }
        }
      });
  const MarginDirections directions = DirectionsOf(wish, counted, rounds.DeviationOf(0));
  const std::vector<size_t> first = FirstCells(wish);
  const auto cells = static_cast<Eigen::Index>(first.back());
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(cells);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(cells);
  const size_t steps = StepsOf(wish);
  for (size_t t = 0; t < steps; ++t) {
    std::vector<int64_t> whole;
    for (Eigen::Index i = 0; i < cells; ++i) whole.push_back(WholeWeight(weights(i)));
    const std::vector<double> pulls =
        rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
          int64_t margin = 0;
          for (size_t f = 0; f < features; ++f) margin += whole[first[f] + codes[f + 1]];
          const int64_t pull = PullOf(wish.task, codes[0] == 1, margin);
          for (size_t f = 0; f < features; ++f) summands[f] = {codes[f + 1], pull};
        });
    const Eigen::Map<const Eigen::VectorXd> pulled(pulls.data(), cells);
    const Eigen::VectorXd along = directions.vectors.transpose() * pulled;
    weights += directions.vectors * directions.inverse.cwiseProduct(along) / BendOf(wish.task);
    if (t + kMarginsMeant >= steps) mean += weights / double{kMarginsMeant};
  }
  CellFit fit;
  fit.rows = directions.rows;
  fit.known = fit.rows > std::max(kRowsOverNoise3 * directions.rows_noise, 1.0);
  if (!fit.known) return fit;
  // A feature's weights may all move by one number if the constant moves against it: its mean.
  fit.constants = {0};
  fit.weights.emplace_back();
  for (size_t f = 0; f < features; ++f) {
    const auto from = static_cast<Eigen::Index>(first[f]);
    const auto count = static_cast<Eigen::Index>(first[f + 1]) - from;
    const double middle = mean.segment(from, count).mean();
    fit.constants[0] += middle;
    std::vector<double>& of = fit.weights[0].emplace_back();
    for (Eigen::Index i = 0; i < count; ++i) of.push_back(mean(from + i) - middle);
  }
  return fit;
}

}  // namespace tacit::learn
