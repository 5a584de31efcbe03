#include "noise/quantile/layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace tacit::noise {
namespace {

// A table by its rows in each cell, empty ones too.
using LayerTable = std::vector<uint64_t>;

FullCells FullCellsOf(const LayerTable& table) {
  std::vector<FullCells::Cell> cells;
  for (size_t cell = 0; cell < table.size(); ++cell) {
    if (table[cell] > 0) cells.push_back({cell, table[cell]});
  }
  return FullCells::Of(cells).value();
}

std::vector<LayerTable> LayerTablesOf(size_t cells, uint64_t rows_max) {
  std::vector<LayerTable> tables = {LayerTable()};
  for (size_t cell = 0; cell < cells; ++cell) {
    std::vector<LayerTable> longer;
    for (const LayerTable& table : tables) {
      for (uint64_t rows = 0; rows <= rows_max; ++rows) {
        longer.push_back(table);
        longer.back().push_back(rows);
      }
    }
    tables = std::move(longer);
  }
  return tables;
}

// How far each cell lies from the wished rank, by the definition (proof.md [a]).
std::vector<int64_t> CellDistances(const LayerTable& table, int64_t parts, int64_t wished) {
  std::vector<int64_t> distances;
  int64_t below = 0;
  for (const uint64_t rows : table) {
    const int64_t up_to = below + static_cast<int64_t>(rows);
    distances.push_back(std::max({int64_t{0}, parts * below - wished, wished - parts * up_to}));
    below = up_to;
  }
  return distances;
}

TEST(FullCells, KnowTheirRowsAndRefuseWhatDoesNotRise) {
  const FullCells full = *FullCells::Of({{3, 2}, {7, 1}, {8, 4}});
  EXPECT_EQ(full.rows(), 7u);
  EXPECT_EQ(full.UpTo(1), 3u);
  EXPECT_EQ(full.RowsAt(2), 4u);
  EXPECT_EQ(full.Before(7), 1u);
  EXPECT_EQ(full.Before(9), 3u);
  EXPECT_EQ(full.FirstAbove(-1), 0u);
  EXPECT_EQ(full.FirstAbove(2), 1u);
  EXPECT_EQ(full.FirstAbove(7), 3u);
  EXPECT_EQ(FullCells().rows(), 0u);
  EXPECT_FALSE(FullCells::Of({{3, 2}, {3, 1}}));
  EXPECT_FALSE(FullCells::Of({{3, 2}, {2, 1}}));
  EXPECT_FALSE(FullCells::Of({{3, 0}}));
}

// The claim of proof.md's layers, over all small tables: every point is in one layer, once, and its
// distance is what the layer and the coin together make of it.
TEST(Layers, HoldEveryPointOnceAtItsOwnDistance) {
  for (const uint64_t cell_points : {1, 3}) {
    for (const LayerTable& table : LayerTablesOf(4, 2)) {
      const FullCells full = FullCellsOf(table);
      const auto rows = static_cast<int64_t>(full.rows());
      for (const uint64_t cut : {uint64_t{0}, cell_points - 1}) {
        const uint64_t points = 4 * cell_points - cut;
        for (int64_t wished = -7; wished <= 3 * rows + 7; ++wished) {
          const std::vector<int64_t> distances = CellDistances(table, 3, wished);
          const int64_t smallest = *std::min_element(distances.begin(), distances.end());
          for (const auto& [step, count] : {std::pair<uint64_t, size_t>{1, 4}, {4, 2}, {2, 30}}) {
            const Layers::Shape shape{.points = points,
                                      .cell_points = cell_points,
                                      .parts = 3,
                                      .step = step,
                                      .count = count};
            const Layers layers(full, shape, wished);
            ASSERT_EQ(layers.size(), count + 2);
            std::map<uint64_t, uint64_t> seen;
            for (size_t layer = 0; layer < layers.size(); ++layer) {
              for (uint64_t point = 0; point < layers.Width(layer); ++point) {
                const uint64_t cell = layers.CellOf(layer, point);
                ++seen[cell];
                const int64_t distance = distances.at(cell) - smallest;
                ASSERT_EQ(layers.DistanceOf(cell), static_cast<uint64_t>(distance));
                const int64_t excess = distance - static_cast<int64_t>(layers.Nearest(layer));
                ASSERT_GE(excess, 0);
                if (layer <= count) {
                  ASSERT_LT(excess, static_cast<int64_t>(step));
                }
              }
            }
            ASSERT_EQ(seen.size(), 4u);
            for (const auto& [cell, times] : seen) {
              ASSERT_EQ(times, cell < 3 ? cell_points : points - 3 * cell_points);
            }
          }
        }
      }
    }
  }
}

// All that the sampler can do on one table, as one list: the layers, their points, and both sides
// of the coin. What is not taken begins anew, so a cell's chance is its share of what is taken.
std::vector<double> CellChances(const LayerTable& table, int64_t a, int64_t b, double rate) {
  const FullCells full = FullCellsOf(table);
  const auto step = static_cast<uint64_t>(std::max(1.0, std::floor(1 / rate)));
  const Layers::Shape shape{
      .points = table.size(), .cell_points = 1, .parts = b, .step = step, .count = 6};
  const Layers layers(full, shape, a * static_cast<int64_t>(full.rows()));
  std::vector<double> taken(table.size(), 0);
  double all = 0;
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    const uint64_t width = layers.Width(layer);
    const double weight = static_cast<double>(std::max<uint64_t>(width, 1)) *
                          std::exp(-rate * static_cast<double>(layers.Nearest(layer)));
    for (uint64_t point = 0; point < width; ++point) {
      const uint64_t cell = layers.CellOf(layer, point);
      const double excess = static_cast<double>(layers.DistanceOf(cell) - layers.Nearest(layer));
      const double chance = weight / static_cast<double>(width) * std::exp(-rate * excess);
      taken[cell] += chance;
      all += chance;
    }
  }
  for (double& chance : taken) chance /= all;
  return taken;
}

// The largest change of any answer's chance between neighbours, as an epsilon, over all tables of
// four cells; a row is added, or moved to another cell.
double WorstLoss(int64_t a, int64_t b, double rate, bool replace) {
  double worst = 0;
  for (const LayerTable& table : LayerTablesOf(4, 2)) {
    const std::vector<double> before = CellChances(table, a, b, rate);
    for (size_t into = 0; into < table.size(); ++into) {
      for (size_t from = 0; from < (replace ? table.size() : 1); ++from) {
        LayerTable other = table;
        ++other[into];
        if (replace && other[from] == 0) continue;
        if (replace) --other[from];
        const std::vector<double> after = CellChances(other, a, b, rate);
        for (size_t cell = 0; cell < table.size(); ++cell) {
          worst = std::max(worst, std::abs(std::log(before[cell] / after[cell])));
        }
      }
    }
  }
  return worst;
}

TEST(Layers, NoAnswerOnNeighboursIsMoreThanEpsilonApartAndATwinIsFound) {
  for (const auto& [a, b] : {std::pair<int64_t, int64_t>{1, 2}, {1, 4}, {9, 10}}) {
    for (const double epsilon : {0.3, 1.0, 4.0}) {
      for (const bool replace : {false, true}) {
        const auto sensitivity = static_cast<double>(std::max(a, b - a) * (replace ? 2 : 1));
        const double rate = epsilon / (2 * sensitivity);
        EXPECT_LE(WorstLoss(a, b, rate, replace), epsilon * (1 + 1e-9)) << a << "/" << b;
        // The twin forgets the factor two of the mechanism; where tables of four cells do not come
        // near the bound, it has four times the rate.
        const double twin = rate * (2 * a == b ? 2 : 4);
        EXPECT_GT(WorstLoss(a, b, twin, replace), epsilon * (1 + 1e-9)) << a << "/" << b;
      }
    }
  }
}

}  // namespace
}  // namespace tacit::noise
