#include "attack/intersection/private_releases.h"

#include <algorithm>
#include <bit>

#include "attack/intersection/intersection.h"
#include "base/secrets/entropy.h"
#include "noise/discrete_laplace/discrete_laplace.h"

namespace tacit::attack {
namespace {

using anonymize::Domain;

// Counts by cell and value, with noise.
using NoisyTable = std::vector<int64_t>;

class Hospitals {
 public:
  Hospitals(const std::vector<uint32_t>& cell_of, uint32_t cells, const Domain& sensitive,
            noise::DiscreteLaplace laplace)
      : cell_of_(cell_of), cells_(cells), sensitive_(sensitive), laplace_(std::move(laplace)) {}

  NoisyTable Exact(const std::vector<uint32_t>& rows) const {
    NoisyTable table(size_t{cells_} * sensitive_.size());
    for (const uint32_t row : rows) ++table[At(row)];
    return table;
  }

  NoisyTable Publish(NoisyTable exact) const {
    for (int64_t& count : exact) count = Noisy(count);
    return exact;
  }

  int64_t Noisy(int64_t exact) const {
    return static_cast<int64_t>(laplace_.Apply(exact, Entropy::ForThisThread()));
  }

  size_t At(uint32_t row) const { return Cell(row) + sensitive_.codes[row]; }
  size_t Cell(uint32_t row) const { return cell_of_[row] * sensitive_.size(); }
  size_t values() const { return sensitive_.size(); }

 private:
  const std::vector<uint32_t>& cell_of_;
  uint32_t cells_;
  const Domain& sensitive_;
  noise::DiscreteLaplace laplace_;
};

uint32_t BestGuess(const NoisyTable& one, const NoisyTable& other, size_t cell, size_t values) {
  uint32_t best = 0;
  for (uint32_t v = 1; v < values; ++v) {
    if (one[cell + v] + other[cell + v] > one[cell + best] + other[cell + best]) best = v;
  }
  return best;
}

}  // namespace

double BlindGuess(const Domain& sensitive) {
  std::vector<uint32_t> counts(sensitive.size());
  for (const uint32_t code : sensitive.codes) ++counts[code];
  return *std::max_element(counts.begin(), counts.end()) /
         static_cast<double>(sensitive.codes.size());
}

std::vector<uint32_t> PublicGrid(const std::vector<Domain>& domains, uint32_t bits) {
  std::vector<uint32_t> cells(domains[0].codes.size());
  for (size_t row = 0; row < cells.size(); ++row) {
    std::vector<std::pair<uint32_t, uint32_t>> bounds;
    for (const Domain& domain : domains) {
      bounds.emplace_back(0, static_cast<uint32_t>(domain.size()));
    }
    for (uint32_t bit = 0; bit < bits; ++bit) {
      auto& [low, end] = bounds[bit % domains.size()];
      const uint32_t middle = (low + end) / 2;
      const bool upper = middle > low && domains[bit % domains.size()].codes[row] >= middle;
      (upper ? low : end) = middle > low ? middle : (upper ? low : end);
      cells[row] = cells[row] << 1 | (upper ? 1u : 0u);
    }
  }
  return cells;
}

Result<PrivateBreaches> IntersectPrivate(const std::vector<Domain>& domains,
                                         const Domain& sensitive, uint32_t overlap,
                                         const Epsilon& epsilon, uint32_t cells, uint32_t runs,
                                         uint64_t seed, uint32_t targets) {
  const uint32_t attacked = std::min(overlap, targets);
  TACIT_TRY(const noise::DiscreteLaplace laplace,
            noise::DiscreteLaplace::Make({.sensitivity_l1 = 1, .epsilon = epsilon}));
  const auto bits = static_cast<uint32_t>(std::countr_zero(std::bit_ceil(cells)));
  const std::vector<uint32_t> cell_of = PublicGrid(domains, bits);
  const Hospitals hospitals(cell_of, uint32_t{1} << bits, sensitive, laplace);
  const size_t values = sensitive.size();
  PrivateBreaches breaches{.epsilon = epsilon.value.get_d()};
  for (uint32_t run = 0; run < runs; ++run) {
    const Split split =
        SplitRows(static_cast<uint32_t>(sensitive.codes.size()), overlap, seed + run);
    const NoisyTable exact[] = {hospitals.Exact(split.one), hospitals.Exact(split.other)};
    const NoisyTable seen[] = {hospitals.Publish(exact[0]), hospitals.Publish(exact[1])};
    // The world without a target has noise of its own; only the target's count differs in it.
    NoisyTable without[] = {hospitals.Publish(exact[0]), hospitals.Publish(exact[1])};
    double claimed = 0, right = 0, with_right = 0, without_right = 0;
    for (uint32_t i = 0; i < attacked; ++i) {
      const uint32_t row = split.one[i];
      const size_t cell = hospitals.Cell(row), own = hospitals.At(row);
      uint32_t left = 0, last = 0;
      for (uint32_t v = 0; v < values; ++v) {
        if (seen[0][cell + v] > 0 && seen[1][cell + v] > 0) {
          ++left;
          last = v;
        }
      }
      claimed += left == 1;
      right += left == 1 && last == sensitive.codes[row];
      with_right += BestGuess(seen[0], seen[1], cell, values) == sensitive.codes[row];
      for (const int h : {0, 1}) without[h][own] -= 1;
      without_right += BestGuess(without[0], without[1], cell, values) == sensitive.codes[row];
      for (const int h : {0, 1}) without[h][own] += 1;
    }
    breaches.claimed.push_back(claimed / attacked);
    breaches.right.push_back(right / attacked);
    breaches.guess_with.push_back(with_right / attacked);
    breaches.guess_without.push_back(without_right / attacked);
    breaches.people_a_cell =
        static_cast<double>(split.one.size()) / static_cast<double>(uint64_t{1} << bits);
  }
  return breaches;
}

}  // namespace tacit::attack
