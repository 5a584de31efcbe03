#include "noise/quantile/quantile.h"

#include <algorithm>
#include <limits>

namespace tacit::noise {
namespace {

// Why 2^20: with ranks below 2^40 the scaled distance then fits 61 bits; a quantile has six digits.
constexpr long kQuantileDenominatorMax = 1L << 20;

}  // namespace

Result<QuantileSelection> QuantileSelection::Make(const Parameters& parameters) {
  const Rational& q = parameters.quantile;
  if (q < 0 || q > 1) {
    return InvalidArgument("a quantile must be between 0 and 1, not " + ToString(q));
  }
  if (q.get_den() > kQuantileDenominatorMax) {
    return InvalidArgument("a quantile has at most six digits, not " + ToString(q));
  }
  if (parameters.rows_changed < 1) {
    return InvalidArgument("the number of rows that may change must be at least 1, not " +
                           parameters.rows_changed.get_str());
  }
  if (parameters.widths.empty()) return InvalidArgument("there is no grid cell to choose from");
  if (std::ranges::find(parameters.widths, 0u) != parameters.widths.end()) {
    return InvalidArgument("a grid cell's width must be at least 1, not 0");
  }
  // q = a/b. A row more or less moves b * (rows below) - a * (rows) by b - a or by a: proof.md [c].
  const Integer per_row = std::max(q.get_num(), Integer(q.get_den() - q.get_num()));
  TACIT_TRY(ExponentialMechanism mechanism,
            ExponentialMechanism::Make(
                {.sensitivity = parameters.rows_changed * per_row, .epsilon = parameters.epsilon}));
  return QuantileSelection(parameters, std::move(mechanism));
}

size_t QuantileSelection::Apply(const std::vector<uint64_t>& counts, Entropy& entropy) const {
  TACIT_ASSERT(counts.size() == parameters_.widths.size());
  const auto a = static_cast<Int128>(parameters_.quantile.get_num().get_ui());
  const auto b = static_cast<Int128>(parameters_.quantile.get_den().get_ui());
  Int128 rows = 0;
  for (const uint64_t count : counts) rows += count;
  const Int128 wished = a * rows;
  Int128 below = 0;
  std::vector<ExponentialMechanism::Candidate> candidates(counts.size());
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    const Int128 up_to = below + counts[cell];
    // How far the wished rank lies from the ranks of this cell, times b: never negative.
    const Int128 distance = std::max({Int128{0}, b * below - wished, wished - b * up_to});
    const Int128 kept = std::min<Int128>(distance, std::numeric_limits<int64_t>::max());
    candidates[cell] = {.utility = -static_cast<int64_t>(kept),
                        .multiplicity = parameters_.widths[cell]};
    below = up_to;
  }
  return mechanism_.Apply(candidates, entropy);
}

Integer QuantileSelection::RankErrorAt95() const {
  Integer points = 0;
  for (const uint64_t width : parameters_.widths) points += static_cast<unsigned long>(width);
  const Integer scaled = mechanism_.UtilityLossAt95(points);
  return CeilOf(Fraction(scaled, parameters_.quantile.get_den()));
}

}  // namespace tacit::noise
