#pragma once

#include <vector>

#include "noise/exponential_mechanism/exponential_mechanism.h"

namespace tacit::noise {

// Chooses, for a quantile 0 <= q <= 1, one cell of a public grid whose cells hold the rows counted
// in `counts`, by the exponential mechanism: the further a cell's ranks lie from q times the number
// of rows, the less likely it is. Cells are in rising order; what value a cell stands for is the
// caller's. For an extreme (quantile 0 or 1) the wished rank is some ranks inside, so many that the
// empty cells beyond the last row hardly ever win.
class QuantileSelection {
 public:
  struct Parameters {
    Rational quantile;
    Integer
        rows_changed;  // rows that one step between neighbours adds and removes at most, together
    Epsilon epsilon;
    std::vector<uint64_t> widths;  // grid points a cell stands for; public
    bool extreme = false;          // the smallest (quantile 0) or the largest (1) value
  };
  static Result<QuantileSelection> Make(const Parameters& parameters);

  // counts has one entry per cell. The index of the chosen cell.
  size_t Apply(const std::vector<uint64_t>& counts, Entropy& entropy) const;

  accounting::Event event() const { return mechanism_.event(); }

  // The chosen cell holds a rank at most this far from the wished one in 95 % of choices.
  // Of an extreme: so far from the last row, and not beyond it.
  Integer RankErrorAt95() const;

 private:
  QuantileSelection(Parameters parameters, ExponentialMechanism mechanism);

  Integer Points() const;
  // The wished rank among so many rows, in parts of `parts_`.
  Int128 WishedRank(Int128 rows) const;

  Parameters parameters_;
  ExponentialMechanism mechanism_;
  Int128 parts_ = 1;   // a rank is so many units of distance: the quantile's denominator
  Int128 offset_ = 0;  // of an extreme, in parts of a rank
};

}  // namespace tacit::noise
