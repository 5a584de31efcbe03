#include "noise/quantile/quantile.h"

#include <algorithm>
#include <limits>

#include "noise/bernoulli_exp/bernoulli_exp.h"
#include "noise/uniform/uniform.h"

namespace tacit::noise {
namespace {

// Why 2^20: with ranks below 2^40 the scaled distance then fits 61 bits; a quantile has six digits.
constexpr long kQuantileDenominatorMax = 1L << 20;

// Why 2^63 + 1: as many as the bounds of a policy can have (policy::MakeGrid).
constexpr uint64_t kPointsMax = (uint64_t{1} << 63) + 1;

// Why 1024: at a high price the offset is a part of a rank, so that the last row itself is chosen.
constexpr long kOffsetParts = 1024;

// Why 40: where so few rows are there that nothing tells the cells apart, all of them together win
// once in 41 times against the bound, and once in 40 is 2.5 %.
constexpr int kBoundCandidates = 40;

// Why 2^55: 256 layers of it hold every distance.
constexpr long kLayerStepMax = 1L << 55;
constexpr long kLayersMax = 256;

// Why 16: with a point behind all layers begins fewer than one choice in e^16, and begins anew.
constexpr long kSpareLayers = 16;

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
  if (parameters.points == 0) return InvalidArgument("there is no grid point to choose from");
  if (parameters.cell_points == 0 || parameters.cell_points > parameters.points) {
    return InvalidArgument("a grid cell must have some of the grid's points, not " +
                           std::to_string(parameters.cell_points));
  }
  if (parameters.points > kPointsMax) {
    return InvalidArgument("a grid has at most 2^63 + 1 points, not " +
                           std::to_string(parameters.points));
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
                {.spread = 2 * parameters.rows_changed * per_row, .epsilon = parameters.epsilon}));
  return QuantileSelection(parameters, std::move(mechanism));
}

QuantileSelection::QuantileSelection(Parameters parameters, ExponentialMechanism mechanism)
    : parameters_(std::move(parameters)), mechanism_(std::move(mechanism)) {
  SetLayers();
  if (!parameters_.extreme) {
    shape_.parts = static_cast<Int128>(parameters_.quantile.get_den().get_ui());
    if (parameters_.end == IntervalEnd::kNone) return;
    // A cell on the wrong side loses the offset: proof.md [f]. One rank more, because an
    // interpolated quantile may lie one rank beside.
    const Integer loss = mechanism_.UtilityLossAt95(2 * Points());
    offset_ = std::min(SaturateToInt128(loss) + shape_.parts,
                       Int128{std::numeric_limits<int64_t>::max()});
    return;
  }
  // Beyond the last row every cell is `offset_` away: one more than a choice loses in 95 of 100.
  shape_.parts = kOffsetParts;
  const Int128 loss = SaturateToInt128(mechanism_.UtilityLossAt95(Points()) + 1);
  offset_ = std::clamp(loss, shape_.parts / 2, Int128{std::numeric_limits<int64_t>::max()});
}

// Within a layer weights differ by a factor of e at most, and behind all layers together there is
// less than e^-16 of the nearest point's: from what is public alone.
// proof: noise/quantile/proof.md#layers
void QuantileSelection::SetLayers() {
  shape_.points = parameters_.points;
  shape_.cell_points = parameters_.cell_points;
  const Rational& rate = mechanism_.rate();
  const Integer step = std::clamp(FloorOf(Rational(1 / rate)), Integer(1), Integer(kLayerStepMax));
  shape_.step = step.get_ui();
  const long bits = static_cast<long>(mpz_sizeinbase(Points().get_mpz_t(), 2));
  const Integer count = CeilOf(Rational((bits + kSpareLayers) / (rate * step)));
  shape_.count = std::min(count, Integer(kLayersMax)).get_ui();
}

// proof: noise/quantile/proof.md#proof
Int128 QuantileSelection::WishedRank(Int128 rows) const {
  if (!parameters_.extreme) {
    const Int128 wished = static_cast<Int128>(parameters_.quantile.get_num().get_ui()) * rows;
    // Beyond the first or the last row too: cut off there, one row could move it by more.
    return parameters_.end == IntervalEnd::kLow ? wished - offset_ : wished + offset_;
  }
  // Few rows: no further inside than the middle. proof.md [e]
  const Int128 inside = std::min(offset_, shape_.parts * rows / 2);
  return parameters_.quantile == 0 ? inside : shape_.parts * rows - inside;
}

// A layer is chosen as if all its points were as near as the nearest of them could be, then a point
// of it evenly, and that is taken as often as it is as near; else all begins anew.
// proof: noise/quantile/proof.md#layers
uint64_t QuantileSelection::Apply(const FullCells& full, Entropy& entropy) const {
  const auto rows = static_cast<Int128>(full.rows());
  const Layers layers(full, shape_, WishedRank(rows));
  const auto candidate = [](uint64_t distance, uint64_t multiplicity) {
    return ExponentialMechanism::Candidate{.utility = -static_cast<int64_t>(distance),
                                           .multiplicity = multiplicity};
  };
  std::vector<ExponentialMechanism::Candidate> candidates;
  candidates.reserve(layers.size() + kBoundCandidates);
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    // One that has no point runs too, so that the work is the same, and is never taken.
    candidates.push_back(
        candidate(layers.Nearest(layer), std::max(layers.Width(layer), uint64_t{1})));
  }
  const bool low = parameters_.end == IntervalEnd::kLow;
  if (parameters_.end != IntervalEnd::kNone) {
    // The bound itself, many times over: proof.md [g].
    const Int128 bound = low ? Int128{0} : rows;
    candidates.resize(candidates.size() + kBoundCandidates,
                      candidate(layers.DistanceOf(bound, bound), parameters_.points));
  }
  while (true) {
    const size_t layer = mechanism_.Apply(candidates, entropy);
    if (layer >= layers.size()) return low ? 0 : shape_.Cells() - 1;
    const uint64_t width = layers.Width(layer);
    if (width == 0) continue;
    const uint64_t cell = layers.CellOf(layer, UniformBelow(width, entropy));
    const Integer excess =
        static_cast<unsigned long>(layers.DistanceOf(cell) - layers.Nearest(layer));
    if (BernoulliExp(Rational(mechanism_.rate() * excess), entropy)) return cell;
  }
}

Integer QuantileSelection::ErrorAt95() const {
  const Integer scaled = mechanism_.UtilityLossAt95(Points()) + ToInteger(offset_);
  return CeilOf(Fraction(scaled, ToInteger(shape_.parts)));
}

}  // namespace tacit::noise
