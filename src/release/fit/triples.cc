#include "release/fit/triples.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "release/fit/team.h"

namespace tacit::release {
namespace {

// Of the triples' rho, so much chooses them.
const Rational kChoosing(15, 100);
// A cell that is off by less than so many standard deviations is left as the model has it.
constexpr double kSoft = 2;
// Why 20,000: larger tables hold less than their noise, and counting them takes long.
constexpr size_t kTripleCellsMax = 20'000;

// The rows that a mixture puts into the cells of three columns.
std::vector<float> ExpectedTriple(const Mixture& mixture, const Targets& targets,
                                  const std::vector<size_t>& columns) {
  const size_t cells[3] = {targets.CellsOf(columns[0]), targets.CellsOf(columns[1]),
                           targets.CellsOf(columns[2])};
  std::vector<float> rows(cells[0] * cells[1] * cells[2]);
  for (Eigen::Index k = 0; k < mixture.shares.rows(); ++k) {
    const float* const kind = mixture.shares.row(k).data();
    const float* const a = kind + targets.first[columns[0]];
    const float* const b = kind + targets.first[columns[1]];
    const float* const c = kind + targets.first[columns[2]];
    float* at = rows.data();
    for (size_t i = 0; i < cells[0]; ++i) {
      for (size_t j = 0; j < cells[1]; ++j, at += cells[2]) {
        const float both = a[i] * b[j];
        for (size_t l = 0; l < cells[2]; ++l) at[l] += both * c[l];
      }
    }
  }
  const auto scale = static_cast<float>(targets.rows / static_cast<double>(mixture.components()));
  for (float& count : rows) count *= scale;
  return rows;
}

std::vector<std::vector<size_t>> TriplesOf(const Targets& targets) {
  std::vector<std::vector<size_t>> triples;
  for (size_t a = 0; a < targets.columns(); ++a) {
    for (size_t b = a + 1; b < targets.columns(); ++b) {
      for (size_t c = b + 1; c < targets.columns(); ++c) {
        const size_t cells = targets.CellsOf(a) * targets.CellsOf(b) * targets.CellsOf(c);
        if (cells <= kTripleCellsMax) triples.push_back({a, b, c});
      }
    }
  }
  return triples;
}

}  // namespace

std::vector<TableTarget> MeasureTriples(const Measured& measured, const Targets& targets,
                                        const Mixture& mixture, size_t threads, Curator& curator) {
  const std::vector<std::vector<size_t>> triples = TriplesOf(targets);
  if (triples.empty()) return {};
  const size_t wanted = std::min(kTriples, triples.size());
  const Rational whole = curator.left() * Rational(999999, 1000000);
  const Rational each = whole * Rational(1 - kChoosing) / MakeRational(static_cast<Int128>(wanted));
  const double sigma = std::sqrt(VarianceFor(each, curator.moved().l2_squared).get_d());
  const auto sides_of = [&](const std::vector<size_t>& columns) {
    std::vector<Side> sides;
    for (const size_t column : columns) sides.push_back({column, &measured.views[column]});
    return sides;
  };
  std::vector<Curator::Candidate> candidates(triples.size());
  InParts(triples.size(), threads, [&](size_t t) {
    Curator::Candidate& candidate = candidates[t];
    candidate.sides = sides_of(triples[t]);
    double noise = 0;
    for (const float rows : ExpectedTriple(mixture, targets, triples[t])) {
      candidate.known.push_back(std::llround(rows));
      noise += std::min(1.0, static_cast<double>(rows) / sigma);
    }
    // What a measurement of this noise would be off by itself is nothing to be gained.
    candidate.allowance = std::llround(std::sqrt(2 / std::numbers::pi) * sigma * noise);
  });
  std::vector<TableTarget> targets_of_triples;
  for (const size_t chosen : curator.Farthest(candidates, wanted, Rational(whole * kChoosing))) {
    const NoisyTable table = curator.Count(sides_of(triples[chosen]), each);
    std::vector<float> rows = ExpectedTriple(mixture, targets, triples[chosen]);
    const double soft = kSoft * std::sqrt(table.variance);
    for (size_t i = 0; i < rows.size(); ++i) {
      const double off = table.counts[i] - static_cast<double>(rows[i]);
      if (std::abs(off) > soft) rows[i] += static_cast<float>(off - std::copysign(soft, off));
    }
    targets_of_triples.push_back({.columns = triples[chosen], .rows = std::move(rows)});
  }
  return targets_of_triples;
}

}  // namespace tacit::release
