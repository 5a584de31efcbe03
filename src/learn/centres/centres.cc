#include "learn/centres/centres.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/centres/grid.h"
#include "learn/centres/places.h"

namespace tacit::learn {
namespace {

// How far a row is from where it is counted, as long as the radius there. Why 2^16: what is cut off
// of it is far below any noise.
constexpr int64_t kMoveUnits = int64_t{1} << 16;
constexpr size_t kCentreSteps = 3;

// What of the price goes where: the grid and its parts find the centres, the steps place them, and
// the last round only counts.
Rational GridShare() { return Rational(3, 10); }
Rational PartsShare() { return Rational(1, 4); }
Rational StepShare() { return Rational(2, 15); }
Rational CountShare() { return Rational(1, 20); }

// Of the radius of a part of the grid, beside the number of columns or its root: rows spread evenly
// are nearly all within. Beyond it a row counts as if it were at the radius.
constexpr double kPartRadius = 0.6;
constexpr double kPartRadiusGaussian = 0.75;
// What a row adds to the number of rows of a part, beside its distances.
constexpr int64_t kPartCount = kMoveUnits / 2;
// In a step: to the number of rows of its centre, and at most to their distances.
constexpr int64_t kStepCount = kMoveUnits * 3 / 20;
// Radii of the next step, by the mean distance in this one.
constexpr double kRadiusOfMean = 1.5;
// No radius is below this part of a column's half range, for each column or its root.
constexpr double kRadiusLeast = 0.01;
constexpr double kRadiusLeastFirst = 0.05;
constexpr double kCentreNoises = 2;

// Under Laplace noise distances are sums over the columns, else Euclid's: what noise is made for.
double ColumnsOf(const CentreWish& wish) {
  const auto columns = static_cast<double>(wish.features.size());
  return wish.gaussian ? std::sqrt(columns) : columns;
}

// By what a row's distances and its other amounts are limited together.
RowLimit LimitOf(const CentreWish& wish, std::initializer_list<int64_t> others) {
  RowLimit limit{.l1 = kMoveUnits, .l2_squared = kMoveUnits * kMoveUnits};
  if (wish.gaussian) limit.l1 *= static_cast<int64_t>(wish.features.size());
  for (const int64_t other : others) {
    limit.l1 += other;
    limit.l2_squared += other * other;
  }
  return limit;
}

// Adds where a row is, seen from `middle`, with each column divided by `scale`; gives the distance.
// `distances` is of the wish's features.
template <class Scaled>
int64_t AddMoves(const CentreWish& wish, int64_t radius, size_t cell, const Scaled& from,
                 Rounds::Summand* summands) {
  int64_t l1 = 0;
  int64_t squared = 0;
  for (size_t f = 0; f < wish.features.size(); ++f) {
    const int64_t distance = from(f);
    l1 += std::abs(distance);
    squared += distance * distance;
  }
  const int64_t distance = wish.gaussian ? RootUp(squared) : l1;
  for (size_t f = 0; f < wish.features.size(); ++f) {
    summands[f] = {cell, from(f) * kMoveUnits / std::max(distance, radius)};
  }
  return distance;
}

std::vector<Round> CentreRounds(const CentreWish& wish, size_t grid_cells) {
  const size_t features = wish.features.size();
  const auto moves = [&](size_t cells) {
    return std::vector<RoundTable>(features, {.cells = cells, .limit = kMoveUnits});
  };
  Round grid{.what = "rows by cell of a public grid",
             .tables = {{.cells = grid_cells, .limit = 1}},
             .nonnegative = true,
             .unit = 1,
             .share = GridShare()};
  Round parts{.what = "where the rows of each part of the grid are",
              .tables = moves(grid_cells),
              .row = LimitOf(wish, {kPartCount}),
              .nonnegative = false,
              .unit = Rational(1, kMoveUnits),
              .share = PartsShare()};
  parts.tables.push_back({.cells = grid_cells, .limit = kPartCount});
  Round step{.what = "where the rows nearest to each centre are",
             .tables = moves(wish.centres),
             .row = LimitOf(wish, {kStepCount, kStepCount}),
             .nonnegative = false,
             .unit = Rational(1, kMoveUnits),
             .share = StepShare()};
  step.tables.push_back({.cells = wish.centres, .limit = kStepCount});
  step.tables.push_back({.cells = wish.centres, .limit = kStepCount});
  std::vector<Round> rounds = {grid, parts};
  for (size_t t = 1; t <= kCentreSteps; ++t) {
    rounds.push_back(step);
    rounds.back().what += ", step " + std::to_string(t) + " of " + std::to_string(kCentreSteps);
  }
  rounds.push_back({.what = "rows nearest to each centre",
                    .tables = {{.cells = wish.centres, .limit = 1}},
                    .nonnegative = true,
                    .unit = 1,
                    .share = CountShare()});
  return rounds;
}

// The first two rounds: where about there are how many rows.
std::vector<PlacedRows> PlacedBy(const CentreWish& wish, const CentreGrid& grid,
                                 const RowPlaces& places, Rounds& rounds) {
  const size_t features = wish.features.size();
  const std::vector<double> counts =
      rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        summands[0] = {grid.CellOf(places, codes), 1};
      });
  const std::vector<CentreGrid::Leaf> leaves = grid.LeavesOf(counts, rounds.DeviationOf(0));
  std::vector<size_t> leaf_of(grid.cells());
  for (size_t i = 0; i < leaves.size(); ++i) {
    std::fill_n(leaf_of.begin() + static_cast<std::ptrdiff_t>(leaves[i].first), leaves[i].cells, i);
  }
  const double radius =
      ColumnsOf(wish) * (wish.gaussian ? kPartRadiusGaussian : kPartRadius);  // in half widths
  const auto whole_radius = static_cast<int64_t>(radius * static_cast<double>(kHalfRange));
  const std::vector<double> sums =
      rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        const size_t at = leaf_of[grid.CellOf(places, codes)];
        const CentreGrid::Leaf& leaf = leaves[at];
        AddMoves(
            wish, whole_radius, at,
            [&](size_t f) {
              return (places.At(codes, f) - leaf.middle[f]) * (kHalfRange / leaf.half[f]);
            },
            summands);
        summands[features] = {at, kPartCount};
      });
  const double noise = rounds.DeviationOf(1);
  const double count_unit = static_cast<double>(kPartCount) / static_cast<double>(kMoveUnits);
  std::vector<PlacedRows> placed;
  for (size_t i = 0; i < leaves.size(); ++i) {
    // Counted twice: by the grid and by this round.
    const double first_squared =
        rounds.DeviationOf(0) * rounds.DeviationOf(0) * static_cast<double>(leaves[i].cells);
    const double second = sums[features * grid.cells() + i] / count_unit;
    const double second_squared = noise * noise / count_unit / count_unit;
    const double both = first_squared * second_squared / (first_squared + second_squared);
    const double rows = both * (leaves[i].rows / first_squared + second / second_squared);
    if (rows < 3 * std::sqrt(both)) continue;
    PlacedRows here{.at = {}, .rows = rows};
    // Towards the middle, as far as the noise hides the place: rows that are anywhere in it are a
    // third of its half width off, squared.
    const double open = noise * radius / rows;
    const double kept = (1.0 / 3) / (1.0 / 3 + open * open);
    for (size_t f = 0; f < features; ++f) {
      const double off = sums[f * grid.cells() + i] * radius / rows * kept;
      here.at.push_back(static_cast<double>(leaves[i].middle[f]) +
                        std::clamp(off, -1.0, 1.0) * static_cast<double>(leaves[i].half[f]));
    }
    placed.push_back(std::move(here));
  }
  return placed;
}

// Centres while they move.
struct MovingCentres {
  std::vector<Place> at;
  std::vector<int64_t> radius;             // rows further away count as if they were there
  std::vector<std::vector<double>> noise;  // of the last move; empty where there was none
};

int64_t WholePlace(double place) {
  if (!std::isfinite(place)) return 0;  // of a file that somebody else wrote
  const double most = static_cast<double>(kHalfRange);
  return std::llround(std::clamp(place, -most, most));
}

size_t NearestOf(const std::vector<Place>& centres, const RowPlaces& places,
                 const uint16_t* codes) {
  size_t nearest = 0;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t c = 0; c < centres.size(); ++c) {
    int64_t squared = 0;
    for (size_t f = 0; f < places.features(); ++f) {
      const int64_t off = places.At(codes, f) - centres[c][f];
      squared += off * off;
    }
    if (squared >= least) continue;
    least = squared;
    nearest = c;
  }
  return nearest;
}

MovingCentres Begun(const CentreWish& wish, const std::vector<PlacedRows>& placed) {
  MovingCentres moving;
  for (const std::vector<double>& centre : CentresOf(placed, wish.centres, wish.features.size())) {
    Place& at = moving.at.emplace_back();
    for (const double place : centre) at.push_back(WholePlace(place));
  }
  moving.noise.resize(moving.at.size());
  const double half = static_cast<double>(kHalfRange);
  const double most = kPartRadius * ColumnsOf(wish) * half;
  for (const Place& centre : moving.at) {
    // Rows are hardly nearer to it than to another one beyond half of what is between.
    double nearest = 2 * most;
    for (const Place& other : moving.at) {
      if (&other == &centre) continue;
      double l1 = 0;
      double squared = 0;
      for (size_t f = 0; f < centre.size(); ++f) {
        const auto off = static_cast<double>(centre[f] - other[f]);
        l1 += std::abs(off);
        squared += off * off;
      }
      nearest = std::min(nearest, wish.gaussian ? std::sqrt(squared) : l1);
    }
    const double least = kRadiusLeastFirst * ColumnsOf(wish) * half;
    moving.radius.push_back(std::llround(std::clamp(nearest / 2, least, most)));
  }
  return moving;
}

void MoveOnce(const CentreWish& wish, const RowPlaces& places, size_t round, Rounds& rounds,
              MovingCentres& moving) {
  const size_t features = wish.features.size();
  const std::vector<double> sums =
      rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        const size_t nearest = NearestOf(moving.at, places, codes);
        const int64_t radius = moving.radius[nearest];
        const int64_t distance = AddMoves(
            wish, radius, nearest,
            [&](size_t f) { return places.At(codes, f) - moving.at[nearest][f]; }, summands);
        summands[features] = {nearest, kStepCount};
        summands[features + 1] = {nearest, kStepCount * std::min(distance, radius) / radius};
      });
  const double unit = static_cast<double>(kStepCount) / static_cast<double>(kMoveUnits);
  const double noise = rounds.DeviationOf(round);
  for (size_t c = 0; c < moving.at.size(); ++c) {
    const double rows = sums[features * wish.centres + c] / unit;
    moving.noise[c].clear();
    if (rows < std::max(kCentreNoises * noise / unit, 1.0)) continue;
    const auto radius = static_cast<double>(moving.radius[c]);
    for (size_t f = 0; f < features; ++f) {
      const double off = std::clamp(sums[f * wish.centres + c] / rows, -1.0, 1.0) * radius;
      moving.at[c][f] = WholePlace(static_cast<double>(moving.at[c][f]) + off);
      moving.noise[c].push_back(noise * radius / rows);
    }
    const double mean =
        std::clamp(sums[(features + 1) * wish.centres + c] / unit / rows, 0.0, 1.0) * radius;
    const double least = kRadiusLeast * ColumnsOf(wish) * static_cast<double>(kHalfRange);
    moving.radius[c] =
        std::llround(std::clamp(mean * kRadiusOfMean, std::min(least, radius), radius));
  }
}

}  // namespace

std::vector<Round> RoundsOf(const CentreWish& wish) {
  return CentreRounds(wish, CentreGrid(wish.features).cells());
}

// proof: learn/rounds/proof.md#centres
// proof: learn/centres/centres.md#the-steps
CentreFit Train(const CentreWish& wish, Rounds& rounds) {
  const RowPlaces places(wish.features);
  const CentreGrid grid(wish.features);
  MovingCentres moving = Begun(wish, PlacedBy(wish, grid, places, rounds));
  for (size_t t = 0; t < kCentreSteps; ++t) MoveOnce(wish, places, 2 + t, rounds, moving);
  const std::vector<double> counts =
      rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        summands[0] = {NearestOf(moving.at, places, codes), 1};
      });
  CentreFit fit;
  fit.rows_noise = rounds.DeviationOf(2 + kCentreSteps);
  for (const double count : counts) fit.rows += count;
  fit.known =
      fit.rows > std::max(3 * fit.rows_noise * std::sqrt(static_cast<double>(wish.centres)), 1.0);
  if (!fit.known) return fit;
  for (size_t c = 0; c < wish.centres; ++c) {
    Centre& centre = fit.centres.emplace_back();
    centre.rows = counts[c];
    for (size_t f = 0; f < wish.features.size(); ++f) {
      const CellColumn& feature = wish.features[f];
      centre.at.push_back(FromPlace(feature, static_cast<double>(moving.at[c][f])));
      if (moving.noise[c].empty()) continue;
      centre.noise.push_back(moving.noise[c][f] * Rational(feature.high - feature.low).get_d() / 2 /
                             static_cast<double>(kHalfRange));
    }
  }
  std::stable_sort(fit.centres.begin(), fit.centres.end(),
                   [](const Centre& a, const Centre& b) { return a.rows > b.rows; });
  return fit;
}

size_t NearestCentre(const std::vector<CellColumn>& features, const CentreFit& fit,
                     const std::vector<uint16_t>& cells) {
  std::vector<Place> centres;
  for (const Centre& centre : fit.centres) {
    Place& at = centres.emplace_back();
    for (size_t f = 0; f < features.size(); ++f) {
      at.push_back(WholePlace(ToPlace(features[f], centre.at[f])));
    }
  }
  return NearestOf(centres, RowPlaces(features), cells.data());
}

}  // namespace tacit::learn
