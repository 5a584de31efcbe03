#include "learn/centres/places.h"

#include <algorithm>
#include <cmath>

namespace tacit::learn {

std::vector<int64_t> PlacesOf(const CellColumn& feature) {
  std::vector<int64_t> places;
  const Rational middle = Rational(feature.low + feature.high) / 2;
  const Rational half = Rational(feature.high - feature.low) / 2;
  for (size_t cell = 0; cell < feature.Cells(); ++cell) {
    const Rational place = Rational((feature.MiddleOf(cell) - middle) / half * kHalfRange);
    const Integer whole = FloorOf(Rational(place + Rational(1, 2)));
    places.push_back(std::clamp(whole, ToInteger(-kHalfRange), ToInteger(kHalfRange)).get_si());
  }
  return places;
}

double ToPlace(const CellColumn& feature, double value) {
  const double low = feature.low.get_d();
  const double high = feature.high.get_d();
  return (2 * value - low - high) / (high - low) * static_cast<double>(kHalfRange);
}

double FromPlace(const CellColumn& feature, double place) {
  const double low = feature.low.get_d();
  const double high = feature.high.get_d();
  return (low + high) / 2 + place / static_cast<double>(kHalfRange) * (high - low) / 2;
}

RowPlaces::RowPlaces(const std::vector<CellColumn>& features) {
  for (const CellColumn& feature : features) places_.push_back(PlacesOf(feature));
}

int64_t RootUp(int64_t square) {
  auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(square)));
  while (root > 0 && (root - 1) * (root - 1) >= square) --root;
  while (root * root < square) ++root;
  return root;
}

}  // namespace tacit::learn
