#include "learn/statistics/prices.h"

#include <algorithm>
#include <limits>

#include "base/assert.h"

namespace tacit::learn {
namespace {

// A price is asked in decimals, and never above the range's end.
Rational PriceBelow(const Rational& value, bool is_whole) {
  const Integer places = is_whole ? 1 : 1'000'000'000;
  return Rational(Rational(FloorOf(Rational(value * places))) / places);
}

// What all prices are whole multiples of.
Rational UnitOfPrices(const std::vector<Rational>& prices) {
  Integer denominators = 1;
  for (const Rational& price : prices) {
    mpz_lcm(denominators.get_mpz_t(), denominators.get_mpz_t(), price.get_den_mpz_t());
  }
  Integer divisor = 0;
  for (const Rational& price : prices) {
    const Rational whole = Rational(price * denominators);
    mpz_gcd(divisor.get_mpz_t(), divisor.get_mpz_t(), whole.get_num_mpz_t());
  }
  return Fraction(divisor, denominators);
}

}  // namespace

std::optional<PriceGrid> MakePriceGrid(const Column& bids, bool is_whole, size_t count) {
  TACIT_ASSERT(count >= 1 && bids.low < bids.high);
  const Rational low = std::max(bids.low, Rational(0));
  PriceGrid grid;
  for (size_t i = 0; i <= count; ++i) {
    const Rational share =
        Fraction(static_cast<unsigned long>(i), static_cast<unsigned long>(count));
    const Rational price = PriceBelow(Rational(low + (bids.high - low) * share), is_whole);
    if (price > (grid.prices.empty() ? Rational(0) : grid.prices.back())) {
      grid.prices.push_back(price);
    }
  }
  if (bids.high <= 0 || grid.prices.empty()) return std::nullopt;
  grid.unit = UnitOfPrices(grid.prices);
  for (const Rational& price : grid.prices) {
    grid.units.push_back(Rational(price / grid.unit).get_num());
  }
  grid.cut = {.name = bids.name, .kind = CutColumn::Kind::kNumber};
  grid.cut.ends.push_back(std::min(bids.low, Rational(0)));
  for (const Rational& price : grid.prices) grid.cut.ends.push_back(price);
  grid.cut.ends.push_back(std::max(bids.high, grid.prices.back()));
  return grid;
}

Integer RevenueSpread(const PriceGrid& grid, const Integer& bids) {
  return grid.units.back() * bids;
}

std::vector<int64_t> RevenuesOf(const PriceGrid& grid, const std::vector<Int128>& bids_by_cell) {
  TACIT_ASSERT(bids_by_cell.size() == grid.prices.size() + 1);
  const Integer most = std::numeric_limits<int64_t>::max();
  std::vector<int64_t> revenues(grid.prices.size());
  Integer accept = 0;
  for (size_t i = grid.prices.size(); i-- > 0;) {
    accept += ToInteger(bids_by_cell[i + 1]);
    const Integer revenue = accept * grid.units[i];
    revenues[i] = Integer(std::clamp(revenue, Integer(-most), most)).get_si();
  }
  return revenues;
}

}  // namespace tacit::learn
