#include "noise/quantile/quantile.h"

#include <algorithm>
#include <limits>

namespace tacit::noise {
namespace {

// Why 2^20: with ranks below 2^40 the scaled distance then fits 61 bits; a quantile has six digits.
constexpr long kQuantileDenominatorMax = 1L << 20;

// Why 1024: at a high price the offset is a part of a rank, so that the last row itself is chosen.
constexpr long kOffsetParts = 1024;

// Why 40: where so few rows are there that nothing tells the cells apart, all of them together win
// once in 41 times against the bound, and once in 40 is 2.5 %.
constexpr int kBoundCandidates = 40;

}  // namespace

// proof: noise/quantile/proof.md#proof
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
  if (parameters.extreme && q != 0 && q != 1) {
    return InvalidArgument("an extreme is the quantile 0 or 1, not " + ToString(q));
  }
  if (parameters.extreme && parameters.end != IntervalEnd::kNone) {
    return InvalidArgument("an extreme has no interval");
  }
  // q = a/b. A row more or less moves b * (rows below) - a * (rows) by b - a or by a: proof.md [c].
  const Integer per_row = parameters.extreme
                              ? Integer(kOffsetParts)
                              : std::max(q.get_num(), Integer(q.get_den() - q.get_num()));
  TACIT_TRY(ExponentialMechanism mechanism,
            ExponentialMechanism::Make(
                {.sensitivity = parameters.rows_changed * per_row, .epsilon = parameters.epsilon}));
  return QuantileSelection(parameters, std::move(mechanism));
}

QuantileSelection::QuantileSelection(Parameters parameters, ExponentialMechanism mechanism)
    : parameters_(std::move(parameters)), mechanism_(std::move(mechanism)) {
  if (!parameters_.extreme) {
    parts_ = static_cast<Int128>(parameters_.quantile.get_den().get_ui());
    if (parameters_.end == IntervalEnd::kNone) return;
    // A cell on the wrong side loses the offset: proof.md [f]. One rank more, because an
    // interpolated quantile may lie one rank beside.
    const Integer loss = mechanism_.UtilityLossAt95(2 * Points());
    offset_ =
        std::min(SaturateToInt128(loss) + parts_, Int128{std::numeric_limits<int64_t>::max()});
    return;
  }
  // Beyond the last row every cell is `offset_` away: one more than a choice loses in 95 of 100.
  parts_ = kOffsetParts;
  const Int128 loss = SaturateToInt128(mechanism_.UtilityLossAt95(Points()) + 1);
  offset_ = std::clamp(loss, parts_ / 2, Int128{std::numeric_limits<int64_t>::max()});
}

Integer QuantileSelection::Points() const {
  Integer points = 0;
  for (const uint64_t width : parameters_.widths) points += static_cast<unsigned long>(width);
  return points;
}

// proof: noise/quantile/proof.md#proof
Int128 QuantileSelection::WishedRank(Int128 rows) const {
  if (!parameters_.extreme) {
    const Int128 wished = static_cast<Int128>(parameters_.quantile.get_num().get_ui()) * rows;
    // Beyond the first or the last row too: cut off there, one row could move it by more.
    return parameters_.end == IntervalEnd::kLow ? wished - offset_ : wished + offset_;
  }
  // Few rows: no further inside than the middle. proof.md [e]
  const Int128 inside = std::min(offset_, parts_ * rows / 2);
  return parameters_.quantile == 0 ? inside : parts_ * rows - inside;
}

// proof: noise/quantile/proof.md#proof
size_t QuantileSelection::Apply(const std::vector<uint64_t>& counts, Entropy& entropy) const {
  TACIT_ASSERT(counts.size() == parameters_.widths.size());
  const Int128 b = parts_;
  Int128 rows = 0;
  for (const uint64_t count : counts) rows += count;
  const Int128 wished = WishedRank(rows);
  // How far the wished rank lies from the ranks between two numbers of rows, times b: never
  // negative.
  const auto candidate = [&](Int128 below, Int128 up_to, uint64_t multiplicity) {
    const Int128 distance = std::max({Int128{0}, b * below - wished, wished - b * up_to});
    const Int128 kept = std::min<Int128>(distance, std::numeric_limits<int64_t>::max());
    return ExponentialMechanism::Candidate{.utility = -static_cast<int64_t>(kept),
                                           .multiplicity = multiplicity};
  };
  Int128 below = 0;
  std::vector<ExponentialMechanism::Candidate> candidates;
  candidates.reserve(counts.size() + kBoundCandidates);
  for (size_t cell = 0; cell < counts.size(); ++cell) {
    const Int128 up_to = below + counts[cell];
    candidates.push_back(candidate(below, up_to, parameters_.widths[cell]));
    below = up_to;
  }
  if (parameters_.end == IntervalEnd::kNone) return mechanism_.Apply(candidates, entropy);
  // The bound itself, many times over: proof.md [g].
  const bool low = parameters_.end == IntervalEnd::kLow;
  const Int128 bound = low ? Int128{0} : rows;
  for (int i = 0; i < kBoundCandidates; ++i) {
    candidates.push_back(candidate(bound, bound, Points().get_ui()));
  }
  const size_t chosen = mechanism_.Apply(candidates, entropy);
  if (chosen < counts.size()) return chosen;
  return low ? 0 : counts.size() - 1;
}

Integer QuantileSelection::ErrorAt95() const {
  const Integer scaled = mechanism_.UtilityLossAt95(Points()) + ToInteger(offset_);
  return CeilOf(Fraction(scaled, ToInteger(parts_)));
}

}  // namespace tacit::noise
