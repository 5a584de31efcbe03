#pragma once

#include "accounting/pld/compose.h"
#include "accounting/pld/saddle.h"
#include "base/result.h"

namespace tacit::accounting::pld {

// The terms with all Gaussians made one (their losses add up to a Gaussian's), checked for support.
struct Prepared {
  std::vector<Term> terms;
  Rational gaussian_sigma;  // of the merged Gaussian, zero where there is none
  bool asymmetric = false;  // add and remove differ
  double infinity = 0;      // mass at infinity of all terms together

  bool OnlyGaussian() const { return gaussian_sigma != 0 && terms.size() == 1; }
};
Result<Prepared> Prepare(const std::vector<Term>& terms, Neighbours neighbours);

// Where the losses that decide lie: weighted with e^(tilt loss) they are around epsilon. Rough.
struct Saddle {
  RoughComposition rough;
  double tail = 0;  // mass of each tail that may be cut
  double tilt = 0;
  double deviation = 0;  // of the weighted losses
};
Result<Saddle> SaddleForDelta(const Prepared& prepared, Direction direction, double delta);
Saddle SaddleForEpsilon(const Prepared& prepared, Direction direction, double epsilon);

// How a composition is computed on a grid. Any choice gives valid bounds; this one makes them
// close.
struct Plan {
  Mesh mesh;
  double tilt = 0;
  double tail = 0;               // mass of each tail that is cut
  std::vector<int64_t> strides;  // grid steps a cell, per term
  double loss_rounding = 0;      // how far rounded cell ends may move epsilon
};
Result<Plan> MakePlan(const Prepared& prepared, const Saddle& saddle);

}  // namespace tacit::accounting::pld
