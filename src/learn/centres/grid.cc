#include "learn/centres/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/secrets/digest.h"

namespace tacit::learn {
namespace {

// Why 10 and 4: the noise of 1,024 counts still lets some thousand rows be seen, and a column that
// is halved four times has its groups apart, which the steps afterwards place.
constexpr size_t kHalvingsMax = 10;
constexpr size_t kHalvingsOfColumn = 4;
// Three deviations: what noise alone hardly does.
constexpr double kGridNoises = 3;
// Moves of all centres after each new one, and at the end.
constexpr size_t kMovesEach = 4;
constexpr size_t kMovesAtEnd = 20;

size_t HalvingsThatTell(const CellColumn& feature) {
  size_t halvings = 0;
  while (halvings < kHalvingsOfColumn && (size_t{1} << halvings) < feature.Cells()) ++halvings;
  return halvings;
}

std::vector<int64_t> PublicSigns(size_t plane, size_t features) {
  const std::string hex = Sha256Hex("tacit k-means plane 1 " + std::to_string(plane));
  std::vector<int64_t> signs;
  for (size_t f = 0; f < features; ++f) signs.push_back(hex[f % hex.size()] < '8' ? -1 : 1);
  return signs;
}

double SquaredBetween(const std::vector<double>& a, const std::vector<double>& b) {
  double squared = 0;
  for (size_t i = 0; i < a.size(); ++i) squared += (a[i] - b[i]) * (a[i] - b[i]);
  return squared;
}

void MoveCentres(const std::vector<PlacedRows>& rows, std::vector<std::vector<double>>& centres) {
  std::vector<std::vector<double>> sums(centres.size(), std::vector<double>(rows[0].at.size(), 0));
  std::vector<double> counts(centres.size(), 0);
  for (const PlacedRows& placed : rows) {
    size_t nearest = 0;
    for (size_t c = 1; c < centres.size(); ++c) {
      if (SquaredBetween(placed.at, centres[c]) < SquaredBetween(placed.at, centres[nearest])) {
        nearest = c;
      }
    }
    counts[nearest] += placed.rows;
    for (size_t f = 0; f < placed.at.size(); ++f) sums[nearest][f] += placed.rows * placed.at[f];
  }
  for (size_t c = 0; c < centres.size(); ++c) {
    if (counts[c] <= 0) continue;
    for (size_t f = 0; f < sums[c].size(); ++f) centres[c][f] = sums[c][f] / counts[c];
  }
}

}  // namespace

CentreGrid::CentreGrid(const std::vector<CellColumn>& features) : features_(features.size()) {
  if (features_ > kHalvingsMax) {
    for (size_t plane = 0; plane < kHalvingsMax; ++plane) {
      halvings_.push_back({.feature = 0, .level = 0, .signs = PublicSigns(plane, features_)});
    }
    return;
  }
  for (size_t level = 0; level < kHalvingsOfColumn; ++level) {
    for (size_t f = 0; f < features_ && halvings_.size() < kHalvingsMax; ++f) {
      if (level >= HalvingsThatTell(features[f])) continue;
      halvings_.push_back({.feature = f, .level = level, .signs = {}});
    }
  }
}

size_t CentreGrid::CellOf(const RowPlaces& places, const uint16_t* codes) const {
  size_t cell = 0;
  for (const Halving& halving : halvings_) {
    int64_t side = 0;
    if (halving.signs.empty()) {
      const int64_t from = std::min(places.At(codes, halving.feature) + kHalfRange,
                                    2 * kHalfRange - 1);  // the upper end is in the last part
      side = (from << halving.level) / kHalfRange % 2;
    } else {
      int64_t along = 0;
      for (size_t f = 0; f < features_; ++f) along += halving.signs[f] * places.At(codes, f);
      side = along > 0 ? 1 : 0;
    }
    cell = 2 * cell + static_cast<size_t>(side);
  }
  return cell;
}

// proof: learn/centres/centres.md#the-grid
std::vector<CentreGrid::Leaf> CentreGrid::LeavesOf(const std::vector<double>& counts,
                                                   double deviation) const {
  Leaf all{.first = 0,
           .cells = cells(),
           .middle = Place(features_, 0),
           .half = Place(features_, kHalfRange)};
  for (const double count : counts) all.rows += count;
  std::vector<Leaf> open = {all};
  std::vector<Leaf> leaves;
  while (!open.empty()) {
    const Leaf leaf = std::move(open.back());
    open.pop_back();
    const double hidden = kGridNoises * deviation * std::sqrt(static_cast<double>(leaf.cells / 2));
    if (leaf.cells == 1 || leaf.rows <= 2 * hidden) {
      leaves.push_back(leaf);
      continue;
    }
    size_t depth = 0;
    while ((cells() >> depth) > leaf.cells) ++depth;
    const Halving& halving = halvings_[depth];
    for (const size_t side : {size_t{0}, size_t{1}}) {
      Leaf part = leaf;
      part.cells = leaf.cells / 2;
      part.first = leaf.first + side * part.cells;
      if (halving.signs.empty()) {
        int64_t& half = part.half[halving.feature];
        half /= 2;
        part.middle[halving.feature] += side == 1 ? half : -half;
      }
      part.rows = 0;
      for (size_t i = 0; i < part.cells; ++i) part.rows += counts[part.first + i];
      open.push_back(std::move(part));
    }
  }
  return leaves;
}

// proof: learn/centres/centres.md#the-grid
std::vector<std::vector<double>> CentresOf(const std::vector<PlacedRows>& rows, size_t centres,
                                           size_t features) {
  std::vector<std::vector<double>> found;
  std::vector<double> to_nearest(rows.size(), std::numeric_limits<double>::infinity());
  while (found.size() < centres && found.size() < rows.size()) {
    size_t best = 0;
    double best_left = std::numeric_limits<double>::infinity();
    for (size_t candidate = 0; candidate < rows.size(); ++candidate) {
      double left = 0;
      for (size_t i = 0; i < rows.size() && left < best_left; ++i) {
        left +=
            rows[i].rows * std::min(to_nearest[i], SquaredBetween(rows[i].at, rows[candidate].at));
      }
      if (left < best_left) {
        best_left = left;
        best = candidate;
      }
    }
    found.push_back(rows[best].at);
    for (size_t move = 0; move < kMovesEach; ++move) MoveCentres(rows, found);
    for (size_t i = 0; i < rows.size(); ++i) {
      to_nearest[i] = std::numeric_limits<double>::infinity();
      for (const std::vector<double>& centre : found) {
        to_nearest[i] = std::min(to_nearest[i], SquaredBetween(rows[i].at, centre));
      }
    }
  }
  for (size_t move = 0; move < kMovesAtEnd && !rows.empty(); ++move) MoveCentres(rows, found);
  // More centres than there are places: the others stand a little beside those, in public
  // directions.
  const size_t places = found.size();
  for (size_t next = places; next < centres; ++next) {
    std::vector<double> beside =
        places == 0 ? std::vector<double>(features, 0) : found[next % places];
    const std::vector<int64_t> signs = PublicSigns(kHalvingsMax + next, features);
    for (size_t f = 0; f < features; ++f) {
      beside[f] += static_cast<double>(signs[f] * (kHalfRange / 16));
    }
    found.push_back(std::move(beside));
  }
  return found;
}

}  // namespace tacit::learn
