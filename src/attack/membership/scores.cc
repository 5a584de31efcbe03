#include "attack/membership/scores.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "noise/discrete_gaussian/discrete_gaussian.h"

namespace tacit::attack {
namespace {

// As many outsiders as it takes to see one in a hundred of them.
constexpr uint32_t kOthers = 1000;
// Columns with more values are no attributes: nobody publishes a table with a row a person.
constexpr size_t kValuesMax = 200;

// rho-zCDP gives (rho + 2 sqrt(rho ln(1/delta)), delta): solved for rho, rounded down.
Rho RhoDown() {
  const double log = std::log(1 / kMembershipDelta);
  const double root = std::sqrt(log + kMembershipEpsilon) - std::sqrt(log);
  return Rho(RationalOf(root * root * (1 - 1e-9)));
}

Result<noise::DiscreteGaussian> NoiseFor(uint32_t ones_per_person) {
  return noise::DiscreteGaussian::Make(
      {.sensitivity_l2_squared = Rational(ones_per_person), .rho = RhoDown()});
}

Result<Done> AddNoise(std::vector<int64_t>& counts, uint32_t ones_per_person) {
  TACIT_TRY(const noise::DiscreteGaussian mechanism, NoiseFor(ones_per_person));
  Entropy& entropy = Entropy::ForThisThread();  // Tacit's noise: it has no seed
  for (int64_t& count : counts) count += static_cast<int64_t>(mechanism.Sample(entropy));
  return Done{};
}

// Rows of bits, bit j with chance p_j.
std::vector<bool> DrawRow(const std::vector<uint32_t>& chances, Dice& dice) {
  std::vector<bool> row(chances.size());
  for (size_t j = 0; j < chances.size(); j += 2) {
    const uint64_t word = dice.Next();
    row[j] = static_cast<uint32_t>(word) < chances[j];
    if (j + 1 < chances.size()) row[j + 1] = static_cast<uint32_t>(word >> 32) < chances[j + 1];
  }
  return row;
}

double ScoreOf(const std::vector<bool>& row, const std::vector<double>& weights) {
  double score = 0;
  for (size_t j = 0; j < row.size(); ++j) score += row[j] ? weights[j] : 0;
  return score;
}

}  // namespace

double TprBoundUp() {
  return std::min(1.0, (std::exp(kMembershipEpsilon) * 0.01 + kMembershipDelta) * (1 + 1e-12));
}

Result<Scores> ScoreBits(const BitsExperiment& experiment, const Dice& dice) {
  Scores scores;
  for (int world = 0; world < experiment.worlds; ++world) {
    Dice own = dice.Part(static_cast<uint64_t>(world));
    std::vector<double> p(experiment.attributes);
    std::vector<uint32_t> chances(experiment.attributes);
    for (size_t j = 0; j < p.size(); ++j) {
      p[j] = 0.05 + 0.9 * own.Fraction();
      chances[j] = static_cast<uint32_t>(p[j] * 0x1p32);
    }
    std::vector<std::vector<bool>> group;
    std::vector<int64_t> counts(experiment.attributes);
    for (uint32_t i = 0; i < experiment.people; ++i) {
      group.push_back(DrawRow(chances, own));
      for (size_t j = 0; j < counts.size(); ++j) counts[j] += group.back()[j] ? 1 : 0;
    }
    if (experiment.noisy) TACIT_CHECK(AddNoise(counts, experiment.attributes));
    std::vector<double> weights(experiment.attributes);
    double expected = 0;
    for (size_t j = 0; j < weights.size(); ++j) {
      weights[j] = static_cast<double>(counts[j]) / experiment.people - p[j];
      expected += weights[j] * p[j];
    }
    for (const std::vector<bool>& row : group) {
      scores.members.push_back(ScoreOf(row, weights) - expected);
    }
    for (uint32_t i = 0; i < kOthers; ++i) {
      scores.others.push_back(ScoreOf(DrawRow(chances, own), weights) - expected);
    }
  }
  return scores;
}

AttributeLists ListAttributes(const OwnersRows& owners) {
  // Per column the number of each value; NULL is a value.
  std::vector<std::vector<uint32_t>> coded;
  std::vector<uint32_t> sizes;
  for (size_t c = 0; c < owners.rows.columns.size(); ++c) {
    if (owners.table.IsHidden(owners.rows.columns[c].name)) continue;
    std::map<std::string, uint32_t> numbers;
    std::vector<uint32_t> codes;
    for (const auto& row : owners.rows.cells) {
      const std::string key = row[c] ? "v" + *row[c] : "";
      codes.push_back(numbers.emplace(key, static_cast<uint32_t>(numbers.size())).first->second);
      if (numbers.size() > kValuesMax) break;
    }
    if (numbers.size() < 2 || numbers.size() > kValuesMax) continue;
    coded.push_back(std::move(codes));
    sizes.push_back(static_cast<uint32_t>(numbers.size()));
  }
  AttributeLists lists;
  lists.people.resize(owners.rows.cells.size());
  for (size_t a = 0; a < coded.size(); ++a) {
    for (size_t b = a; b < coded.size(); ++b) {
      for (size_t r = 0; r < lists.people.size(); ++r) {
        const uint32_t cell = a == b ? coded[a][r] : coded[a][r] * sizes[b] + coded[b][r];
        lists.people[r].push_back(lists.attributes + cell);
      }
      lists.attributes += a == b ? sizes[a] : sizes[a] * sizes[b];
      ++lists.per_person;
    }
  }
  return lists;
}

Result<Scores> ScoreGroups(const AttributeLists& lists, const GroupExperiment& experiment,
                           const Dice& dice) {
  std::vector<double> share(lists.attributes);
  for (const std::vector<uint32_t>& person : lists.people) {
    for (const uint32_t attribute : person) share[attribute] += 1;
  }
  for (double& p : share) p /= static_cast<double>(lists.people.size());
  Scores scores;
  std::vector<uint32_t> order(lists.people.size());
  std::iota(order.begin(), order.end(), 0u);
  for (int world = 0; world < experiment.worlds; ++world) {
    Dice own = dice.Part(static_cast<uint64_t>(world));
    own.Shuffle(order);
    std::vector<int64_t> counts(lists.attributes);
    for (uint32_t i = 0; i < experiment.people; ++i) {
      for (const uint32_t attribute : lists.people[order[i]]) ++counts[attribute];
    }
    if (experiment.noisy) TACIT_CHECK(AddNoise(counts, lists.per_person));
    std::vector<double> weights(lists.attributes);
    for (size_t j = 0; j < weights.size(); ++j) {
      const double variance = std::max(share[j] * (1 - share[j]), 1e-9);
      weights[j] = (static_cast<double>(counts[j]) / experiment.people - share[j]) / variance;
    }
    const size_t last = std::min<size_t>(experiment.people + kOthers, order.size());
    for (size_t i = 0; i < last; ++i) {
      double score = 0;
      for (const uint32_t attribute : lists.people[order[i]]) score += weights[attribute];
      (i < experiment.people ? scores.members : scores.others).push_back(score);
    }
  }
  return scores;
}

}  // namespace tacit::attack
