#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/numbers/int128.h"
#include "learn/statistics/cells.h"

namespace tacit::learn {

// The prices that a seller may ask, all of them public.
struct PriceGrid {
  std::vector<Rational> prices;  // rising, above 0; at least one
  Rational unit;                 // the largest of which all are whole multiples
  std::vector<Integer> units;    // the prices as such multiples
  // Bids by the highest price that they accept: cell 0 accepts none, cell i prices[i - 1].
  CutColumn cut;
};

// About `count` prices, evenly over the part of the column's range that is above 0. Nothing where
// there is no such part.
std::optional<PriceGrid> MakePriceGrid(const Column& bids, bool is_whole, size_t count);

// How far the revenues of any two prices move apart, in units of the grid, when so many bids come
// or go.
// proof: learn/statistics/proof.md#the-best-price
Integer RevenueSpread(const PriceGrid& grid, const Integer& bids);

// What each price earns from whoever accepts it, in units of the grid. What is beyond 64 bits is
// cut.
// proof: learn/statistics/proof.md#the-best-price
std::vector<int64_t> RevenuesOf(const PriceGrid& grid, const std::vector<Int128>& bids_by_cell);

}  // namespace tacit::learn
