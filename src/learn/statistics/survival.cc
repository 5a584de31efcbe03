#include "learn/statistics/survival.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"

namespace tacit::learn {
namespace {

// Why 999: the band is made of their quantiles, at 2.5 % and 97.5 %.
constexpr int kCurvesDrawn = 999;
// Why 3: below it one can hardly say that there are rows at all.
constexpr double kCurveKnown = 3;

// The share that dies in each cell of those who reach it, and how many reach it.
struct Hazards {
  std::vector<double> at_risk;
  std::vector<double> shares;
  size_t known = 0;  // so many cells from the first on
};

Hazards HazardsOf(const LifeTable& table) {
  const size_t cells = table.died.size();
  Hazards hazards{.at_risk = std::vector<double>(cells, 0.0),
                  .shares = std::vector<double>(cells, 0.0)};
  double later = 0;
  for (size_t i = cells; i-- > 0;) {
    later += table.died[i] + table.left[i];
    hazards.at_risk[i] = std::max(later, 0.0);
  }
  for (size_t i = 0; i < cells; ++i) {
    const double exposed =
        hazards.at_risk[i] - (table.moments ? 0.0 : std::max(table.left[i], 0.0) / 2);
    if (exposed < std::max(kCurveKnown * table.noise.deviation(), 1.0)) break;
    hazards.shares[i] = std::clamp(table.died[i] / exposed, 0.0, 1.0);
    hazards.known = i + 1;
  }
  return hazards;
}

std::vector<double> CurveOf(const Hazards& hazards) {
  std::vector<double> curve;
  double alive = 1;
  for (const double share : hazards.shares) curve.push_back(alive *= 1 - share);
  return curve;
}

// As many people again, whom the same shares leave and outlive, counted with the same noise.
LifeTable DrawAgain(const Hazards& hazards, const LifeTable& table, Chance& chance) {
  LifeTable drawn = table;
  double people = std::round(hazards.at_risk[0]);
  for (size_t i = 0; i < table.died.size(); ++i) {
    const double left = std::max(table.left[i], 0.0);
    const double leaves = hazards.at_risk[i] > 0 ? std::min(left / hazards.at_risk[i], 1.0) : 0.0;
    const double exposed = table.moments ? people : people - people * leaves / 2;
    const double died = std::min(chance.Binomial(std::round(exposed), hazards.shares[i]), people);
    people -= died;
    // Of those who are still there.
    const double staying = 1 - hazards.shares[i];
    const double gone =
        chance.Binomial(people, staying > leaves ? leaves / staying : (leaves > 0 ? 1.0 : 0.0));
    people -= gone;
    drawn.died[i] = died + table.noise.Draw(chance);
    drawn.left[i] = gone + table.noise.Draw(chance);
  }
  return drawn;
}

double QuantileOf(std::vector<double>& values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<size_t>(at)];
}

}  // namespace

// proof: learn/statistics/statistics.md#survival
std::optional<std::vector<SurvivalPoint>> EstimateSurvival(const LifeTable& table) {
  const size_t cells = table.died.size();
  TACIT_ASSERT(cells > 0 && table.left.size() == cells);
  double people = std::accumulate(table.died.begin(), table.died.end(), 0.0);
  people = std::accumulate(table.left.begin(), table.left.end(), people);
  const double noise = std::sqrt(table.noise.variance() * 2 * static_cast<double>(cells));
  if (!(people > std::max(kCurveKnown * noise, 1.0))) return std::nullopt;
  const Hazards hazards = HazardsOf(table);
  const std::vector<double> curve = CurveOf(hazards);

  std::vector<double> released = table.died;
  released.insert(released.end(), table.left.begin(), table.left.end());
  Chance chance = Chance::Of("survival", released);
  std::vector<std::vector<double>> drawn(cells);
  for (int t = 0; t < kCurvesDrawn; ++t) {
    const std::vector<double> again = CurveOf(HazardsOf(DrawAgain(hazards, table, chance)));
    for (size_t i = 0; i < cells; ++i) drawn[i].push_back(again[i]);
  }
  std::vector<SurvivalPoint> points;
  for (size_t i = 0; i < cells; ++i) {
    // What the drawn curves are off to one side, this one may be to the other.
    const double high = 2 * curve[i] - QuantileOf(drawn[i], 0.025);
    const double low = 2 * curve[i] - QuantileOf(drawn[i], 0.975);
    points.push_back({.at_risk = hazards.at_risk[i],
                      .died = table.died[i],
                      // Whatever lies beyond the range counts in the last cell: it has no end.
                      .known = i < hazards.known && i + 1 < cells,
                      .share = curve[i],
                      .low = std::clamp(low, 0.0, 1.0),
                      .high = std::clamp(high, 0.0, 1.0)});
  }
  return points;
}

}  // namespace tacit::learn
