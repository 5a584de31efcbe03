#pragma once

#include <cstdint>
#include <vector>

#include "learn/cells/cells.h"

// Where rows are, in whole numbers: what is computed of a row is exact on every machine.
namespace tacit::learn {

// Half of a column's public range; its middle is 0.
inline constexpr int64_t kHalfRange = int64_t{1} << 16;

using Place = std::vector<int64_t>;  // by feature, within [-kHalfRange, kHalfRange]

// The middles of a feature's cells.
std::vector<int64_t> PlacesOf(const CellColumn& feature);

// How a value of a feature is written there, and back.
double ToPlace(const CellColumn& feature, double value);
double FromPlace(const CellColumn& feature, double place);

// Of each row: where its cells are.
class RowPlaces {
 public:
  explicit RowPlaces(const std::vector<CellColumn>& features);
  size_t features() const { return places_.size(); }
  int64_t At(const uint16_t* codes, size_t feature) const {
    return places_[feature][codes[feature]];
  }

 private:
  std::vector<std::vector<int64_t>> places_;
};

// The whole number whose square is not larger, and the next one above where it is no square.
int64_t RootUp(int64_t square);

}  // namespace tacit::learn
