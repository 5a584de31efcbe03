#include "release/fit/mwem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tacit::release {
namespace {

constexpr size_t kRoundsMax = 12;
// How often what was counted before is turned to again after a round.
constexpr int kReplays = 10;
constexpr int kLastReplays =
    80;  // after the last one: what has to become nothing gets there slowly

// Where each combination counts in a table through views of the model's cells, or kNone.
constexpr uint32_t kNone = 0xffffffff;
std::vector<uint32_t> CellsIn(const Query& query, const std::vector<View>& views,
                              const Targets& targets, size_t combinations) {
  std::vector<size_t> strides(targets.columns(), 1);
  for (size_t c = targets.columns(); c-- > 1;) strides[c - 1] = strides[c] * targets.CellsOf(c);
  std::vector<uint32_t> cells(combinations);
  for (size_t x = 0; x < combinations; ++x) {
    size_t cell = 0;
    bool counts = true;
    for (size_t i = 0; i < query.columns.size(); ++i) {
      const size_t column = query.columns[i];
      const uint16_t side = views[i].cell_of[x / strides[column] % targets.CellsOf(column)];
      counts = counts && side != kNowhere;
      cell = cell * views[i].cells + side;
    }
    cells[x] = counts ? static_cast<uint32_t>(cell) : kNone;
  }
  return cells;
}

std::vector<double> Sums(const std::vector<double>& weights, const std::vector<uint32_t>& cells,
                         size_t size) {
  std::vector<double> sums(size);
  for (size_t x = 0; x < weights.size(); ++x) {
    if (cells[x] != kNone) sums[cells[x]] += weights[x];
  }
  return sums;
}

// A table that was counted, as the weights see it.
struct Turning {
  std::vector<uint32_t> cells;
  std::vector<double> shares;  // wanted
  double sigma = 0;            // of a share
};

// Every combination of a cell is multiplied alike: by at most e, and by less where noise is.
void Turn(const Turning& towards, std::vector<double>& weights) {
  std::vector<double> factors = Sums(weights, towards.cells, towards.shares.size());
  for (size_t i = 0; i < factors.size(); ++i) {
    const double off = towards.shares[i] - factors[i];
    factors[i] = std::exp(std::clamp(off / (2 * std::max(factors[i], towards.sigma)), -1.0, 1.0));
  }
  double sum = 0;
  for (size_t x = 0; x < weights.size(); ++x) {
    if (towards.cells[x] != kNone) weights[x] *= factors[towards.cells[x]];
    sum += weights[x];
  }
  for (double& weight : weights) weight /= sum;
}

std::vector<double> Independent(const Targets& targets) {
  std::vector<double> weights = {1};
  for (const std::vector<double>& shares : targets.ones) {
    std::vector<double> next;
    next.reserve(weights.size() * shares.size());
    for (const double weight : weights) {
      // A combination without weight would never get any.
      for (const double share : shares) next.push_back(weight * std::max(share, 1e-9));
    }
    weights = std::move(next);
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

size_t Combinations(const std::vector<size_t>& cells) {
  size_t all = 1;
  for (const size_t of_column : cells) {
    if (of_column > kMwemCellsMax / all) return kMwemCellsMax + 1;
    all *= of_column;
  }
  return all;
}

// proof: release/proof.md#3-what-a-choice-costs
MwemFit FitMwem(const std::vector<Query>& queries, const Rational& rho, const Measured& measured,
                const Targets& targets, size_t threads, Curator& curator,
                const Progress& progress) {
  MwemFit fit{.weights = Independent(targets), .answered = {}};
  const size_t rounds = std::min(kRoundsMax, queries.size());
  if (rounds == 0) return fit;
  const Rational half =
      rho * Rational(999'999, 2'000'000) / MakeRational(static_cast<Int128>(rounds));
  std::vector<Turning> turnings;
  std::vector<bool> asked(queries.size());
  for (size_t round = 0; round < rounds; ++round) {
    std::vector<size_t> left;
    std::vector<std::vector<Side>> sides;
    std::vector<std::vector<View>> views;
    for (size_t q = 0; q < queries.size(); ++q) {
      if (asked[q]) continue;
      left.push_back(q);
      sides.push_back(SidesOf(queries[q], measured));
      views.push_back(ModelViews(queries[q], measured, targets));
    }
    const auto known = [&](size_t i) {
      Curator::Known compared;
      const std::vector<uint32_t> cells =
          CellsIn(queries[left[i]], views[i], targets, fit.weights.size());
      for (const double share : Sums(fit.weights, cells, CellsOf(sides[i]))) {
        compared.rows.push_back(std::llround(share * targets.rows));
      }
      return compared;
    };
    const size_t worst = curator.Farthest(sides, known, 1, half, threads)[0];
    asked[left[worst]] = true;
    Answered answered{
        .which = left[worst], .views = views[worst], .table = curator.Count(sides[worst], half)};
    Turning turning{
        .cells = CellsIn(queries[left[worst]], views[worst], targets, fit.weights.size()),
        .shares = answered.table.counts,
        .sigma = std::sqrt(answered.table.variance) / targets.rows};
    for (double& share : turning.shares) share = std::max(0.0, share / targets.rows);
    turnings.push_back(std::move(turning));
    fit.answered.push_back(std::move(answered));
    const int replays = round + 1 == rounds ? kLastReplays : kReplays;
    for (int i = 0; i < replays; ++i) {
      for (const Turning& towards : turnings) Turn(towards, fit.weights);
    }
    if (progress) {
      progress("round " + std::to_string(round + 1) + " of " + std::to_string(rounds),
               100.0 * static_cast<double>(round + 1) / static_cast<double>(rounds));
    }
  }
  return fit;
}

Rows DrawCombinations(std::vector<double> weights, const Targets& targets, const Weighing& weighing,
                      size_t count, Entropy& entropy) {
  const auto cell_of = [&](size_t combination, size_t column) {
    for (size_t c = targets.columns(); --c > column;) combination /= targets.CellsOf(c);
    return combination % targets.CellsOf(column);
  };
  for (size_t x = 0; weighing.IsOn() && x < weights.size(); ++x) {
    weights[x] /= static_cast<double>(weighing.weights[cell_of(x, weighing.column)]);
  }
  const std::vector<size_t> drawn = DrawEvenly(weights, count, entropy);
  Rows rows(targets.columns(), std::vector<uint16_t>(count));
  for (size_t r = 0; r < count; ++r) {
    for (size_t c = 0; c < targets.columns(); ++c) {
      rows[c][r] = static_cast<uint16_t>(cell_of(drawn[r], c));
    }
  }
  return rows;
}

}  // namespace tacit::release
