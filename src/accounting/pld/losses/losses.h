#pragma once

#include <cstdint>
#include <vector>

#include "accounting/event.h"

namespace tacit::accounting::pld {

// One orientation of a pair of neighbours: P is the output with the person (remove) or without
// (add). The loss of an outcome is ln P/Q; only asymmetric events tell the two apart.
enum class Direction { kRemove, kAdd };

// The grid of losses: point j is j * step. `exact` is what lattices are compared with; `step` is
// the nearest double.
struct Mesh {
  Rational exact;
  double step = 0;
};

// The outcomes whose loss lies between two grid points: `p` is their mass under P, and
// `u` = p - e^left q, computed without cancellation, says where between the points they lie.
struct Cell {
  int64_t left = 0;
  int64_t right = 0;
  double p = 0;
  double u = 0;
  double p_error = 0;  // how far p and u may be from the exact values
  double u_error = 0;
};

// Outcomes whose loss is a grid point.
struct Atom {
  int64_t index = 0;
  double p = 0;
  double p_error = 0;
};

// The privacy loss of one release, cut at the grid points. Nothing is rounded towards a bound yet.
struct Losses {
  std::vector<Cell> cells;  // ascending, disjoint
  std::vector<Atom> atoms;
  double below = 0;     // mass under P of losses below the first cell
  double above = 0;     // mass under P of losses above the last cell
  double infinity = 0;  // mass under P where Q has none
};

// Cuts the event's losses on the mesh, in cells of `stride` grid steps (shorter where the event's
// own lattice ends one); each tail left out has mass at most `tail`. Precondition: the event passed
// CheckSupported.
Losses CutLosses(const Event& event, Direction direction, const Mesh& mesh, int64_t stride,
                 double tail);

// A few thousand (loss, mass) pairs that follow the event's losses closely. For choosing mesh, tilt
// and window only; no bound is computed from it.
struct RoughLoss {
  double loss = 0;
  double mass = 0;
};
std::vector<RoughLoss> RoughLosses(const Event& event, Direction direction, double tail);

// The lattice all finite losses of the event lie on, or zero where they are continuous throughout.
// Laplace: the lattice of its two atoms.
Rational LatticeStep(const Event& event);
// True when every loss is on the lattice, so a mesh that divides it is exact.
bool IsLattice(const Event& event);

// The events whose losses can be cut; the error says why not and what to do.
Result<Done> CheckSupported(const Event& event, Neighbours neighbours);

}  // namespace tacit::accounting::pld
