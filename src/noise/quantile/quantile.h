#pragma once

#include <vector>

#include "noise/column_mechanism.h"
#include "noise/exponential_mechanism/exponential_mechanism.h"
#include "noise/quantile/layers.h"

namespace tacit::noise {

// Which end of an interval around a quantile is wished for, if not the quantile itself.
enum class IntervalEnd { kNone, kLow, kHigh };

// Chooses, for a quantile 0 <= q <= 1, one point of a public grid by the exponential mechanism: the
// further the ranks of its cell lie from q times the number of rows, the less likely it is. Every
// point of the grid is a candidate, and the time is that of few layers of them (layers.h). What
// value a cell stands for is the caller's. For an extreme (quantile 0 or 1) the wished rank is some
// ranks inside, so many that the empty cells beyond the last row hardly ever win. For an end of an
// interval it is so many ranks below or above the quantile's that the end lies on its own side of
// it in 97.5 % of choices.
class QuantileSelection final : public ColumnMechanism {
 public:
  struct Parameters {
    Rational quantile;
    Integer
        rows_changed;  // rows that one step between neighbours adds and removes at most, together
    Epsilon epsilon;
    uint64_t points = 1;                   // of the grid; public
    uint64_t cell_points = 1;              // of a cell, but perhaps of the last one; public
    bool extreme = false;                  // the smallest (quantile 0) or the largest (1) value
    IntervalEnd end = IntervalEnd::kNone;  // of an interval that holds the quantile
  };
  static Result<QuantileSelection> Make(const Parameters& parameters);

  // The cell of the chosen point. No full cell lies beyond the last one of the grid.
  uint64_t Apply(const FullCells& full, Entropy& entropy) const;

  Form Reads() const override { return Form::kFullCells; }
  accounting::Event event() const override { return mechanism_.event(); }

  // The chosen cell holds a rank at most this far from the wished one in 95 % of choices.
  // Of an extreme: so far from the last row, and not beyond it. Of an end: so far from the
  // quantile.
  Integer ErrorAt95() const override;
  // Of a rank: twice the rows that may change, for each epsilon.
  Rational ScaleUp() const override {
    return Rational(2 * parameters_.rows_changed / parameters_.epsilon.value);
  }
  std::string Name() const override { return "exponential_mechanism"; }
  std::string WordsFor(const std::string& /*scale*/) const override {
    return "exponential mechanism";
  }
  // A choice has no noise whose tail a threshold could stand against.
  std::optional<Integer> ThresholdFor(const accounting::ThresholdWish&) const override {
    return std::nullopt;
  }
  size_t HeldBytes() const override { return sizeof *this; }

 private:
  QuantileSelection(Parameters parameters, ExponentialMechanism mechanism);

  Int128 Draw(const ExactNumber& exact, Entropy& entropy) const override {
    return static_cast<Int128>(Apply(std::get<FullCells>(exact), entropy));
  }

  void SetLayers();
  Integer Points() const { return static_cast<unsigned long>(parameters_.points); }
  // The wished rank among so many rows, in parts of `parts_`.
  Int128 WishedRank(Int128 rows) const;

  Parameters parameters_;
  ExponentialMechanism mechanism_;
  Layers::Shape shape_;  // a rank has as many parts as the quantile's denominator says
  Int128 offset_ = 0;    // of an extreme or an end, in parts of a rank
};

}  // namespace tacit::noise
