#include "accounting/pld/pld.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "accounting/gaussian.h"
#include "accounting/pld/inversion/inversion.h"
#include "accounting/pld/plan.h"

namespace tacit::accounting::pld {
namespace {

// The order of the bounds of both directions: what one run returns.
template <class Solve>
Result<Bracket> OverDirections(const Prepared& prepared, Solve solve) {
  Bracket remove;
  Bracket add;
  if (!prepared.asymmetric) {
    TACIT_TRY(const Bracket only, solve(Direction::kRemove));
    return only;
  }
  Result<Bracket> added = Bracket{};
  std::thread other([&] { added = solve(Direction::kAdd); });
  Result<Bracket> removed = solve(Direction::kRemove);
  other.join();
  TACIT_TRY(remove, std::move(removed));
  TACIT_TRY(add, std::move(added));
  return Bracket{std::max(remove.lower, add.lower), std::max(remove.upper, add.upper)};
}

struct Pair {
  std::vector<LossMeasure> upper;
  std::vector<LossMeasure> lower;
};

Pair Discretise(const Prepared& prepared, Direction direction, const Plan& plan) {
  Pair pair;
  for (size_t i = 0; i < prepared.terms.size(); ++i) {
    const Losses losses =
        CutLosses(prepared.terms[i].event, direction, plan.mesh, plan.strides[i], plan.tail);
    pair.upper.push_back(UpperMeasure(losses, plan.mesh.step));
    pair.lower.push_back(LowerMeasure(losses, plan.mesh.step));
  }
  return pair;
}

Composition Compose(const Prepared& prepared, const std::vector<LossMeasure>& measures,
                    const Plan& plan, Side side) {
  std::vector<Composition::Part> parts;
  for (size_t i = 0; i < measures.size(); ++i) {
    parts.push_back({.measure = &measures[i], .count = prepared.terms[i].count});
  }
  return Composition(parts, plan.mesh.step, plan.tilt, side);
}

Result<Bracket> EpsilonInOneDirection(const Prepared& prepared, const Delta& delta,
                                      Direction direction) {
  const double delta_down = ToDoubleDown(delta.value);
  const double delta_up = ToDoubleUp(delta.value);
  TACIT_TRY(const Saddle saddle, SaddleForDelta(prepared, direction, delta_down));
  if (const auto inversion = Inversion::Make(prepared, direction, saddle)) {
    return inversion->Epsilon(delta_down, delta_up);
  }
  TACIT_TRY(const Plan plan, MakePlan(prepared, saddle));
  const Pair pair = Discretise(prepared, direction, plan);
  const double upper =
      Compose(prepared, pair.upper, plan, Side::kUpper).Epsilon(delta_down) + plan.loss_rounding;
  const double lower =
      Compose(prepared, pair.lower, plan, Side::kLower).Epsilon(delta_up) - plan.loss_rounding;
  if (std::isinf(upper)) {
    return InvalidArgument("delta is too small for the numbers of this computation");
  }
  return Bracket{std::max(0.0, lower * (1 - 1e-12)), upper * (1 + 1e-12)};
}

// What both entries check and answer without a grid.
Result<Prepared> PrepareFor(const std::vector<Term>& terms, const Delta& delta,
                            Neighbours neighbours) {
  if (ToDoubleDown(delta.value) <= 0) {
    return InvalidArgument("the distribution of the loss needs delta above 0");
  }
  return Prepare(terms, neighbours);
}

Bracket GaussianBracket(const Rational& sigma, const Delta& delta) {
  return {GaussianEpsilonDown(sigma, delta), GaussianEpsilonUp(sigma, delta)};
}

}  // namespace

// proof: accounting/pld/pld.md#claim
Result<Bracket> EpsilonBracket(const std::vector<Term>& terms, const Delta& delta,
                               Neighbours neighbours) {
  TACIT_TRY(const Prepared prepared, PrepareFor(terms, delta, neighbours));
  if (prepared.OnlyGaussian()) return GaussianBracket(prepared.gaussian_sigma, delta);
  return OverDirections(prepared, [&](Direction direction) {
    return EpsilonInOneDirection(prepared, delta, direction);
  });
}

Result<Bracket> EpsilonBracketOf(const std::vector<Term>& terms, const Delta& delta,
                                 Direction direction) {
  TACIT_TRY(const Prepared prepared, PrepareFor(terms, delta, Neighbours::kAddRemove));
  if (prepared.OnlyGaussian()) return GaussianBracket(prepared.gaussian_sigma, delta);
  return EpsilonInOneDirection(prepared, delta, direction);
}

// proof: accounting/pld/pld.md#claim
Result<Bracket> DeltaBracket(const std::vector<Term>& terms, double epsilon,
                             Neighbours neighbours) {
  TACIT_TRY(const Prepared prepared, Prepare(terms, neighbours));
  if (prepared.OnlyGaussian()) {
    const Interval exact = GaussianDelta(prepared.gaussian_sigma, Interval(epsilon));
    return Bracket{std::max(0.0, exact.Down()), exact.Up()};
  }
  return OverDirections(prepared, [&](Direction direction) -> Result<Bracket> {
    const Saddle saddle = SaddleForEpsilon(prepared, direction, epsilon);
    if (const auto inversion = Inversion::Make(prepared, direction, saddle)) {
      return inversion->Delta(epsilon);
    }
    TACIT_TRY(const Plan plan, MakePlan(prepared, saddle));
    const Pair pair = Discretise(prepared, direction, plan);
    return Bracket{
        Compose(prepared, pair.lower, plan, Side::kLower).Delta(epsilon + plan.loss_rounding),
        Compose(prepared, pair.upper, plan, Side::kUpper).Delta(epsilon - plan.loss_rounding)};
  });
}

}  // namespace tacit::accounting::pld
