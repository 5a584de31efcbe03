#include <cmath>

#include "accounting/pld/losses/event_losses.h"

namespace tacit::accounting::pld {

void AddOutcome(const Rational& loss, double p, double p_error, const Mesh& mesh, Losses* losses) {
  const Rational place = loss / mesh.exact;
  const int64_t left = FloorOf(place).get_si();
  if (place.get_den() == 1) {
    losses->atoms.push_back(Atom{.index = left, .p = p, .p_error = p_error});
    return;
  }
  // u = p - e^left q = p (1 - e^(left - loss)); the exponent is exact before it is rounded once.
  const double gap = Rational(loss - mesh.exact * left).get_d();
  const double u = -p * std::expm1(-gap);
  const double u_error = p_error + 4 * kUnit * u;
  if (losses->cells.empty() || losses->cells.back().left != left) {
    losses->cells.push_back(Cell{.left = left, .right = left + 1});
  }
  Cell& cell = losses->cells.back();
  cell.p += p;
  cell.u += u;
  cell.p_error += p_error + kUnit * cell.p;
  cell.u_error += u_error + kUnit * cell.u;
}

Losses CutResponse(const Rational& epsilon, const Rational& delta, const Cut& cut) {
  Losses losses;
  losses.infinity = ToDoubleUp(delta);
  const double finite = Rational(1 - delta).get_d();
  const double down = std::exp(-ToDoubleUp(epsilon));
  const double high = finite / (1 + down);
  const double low = finite * down / (1 + down);
  // exp is within a few ulps of e^-epsilon after epsilon's own rounding.
  const double low_error = low * kUnit * (8 + epsilon.get_d());
  AddOutcome(Rational(-epsilon), low, low_error, cut.mesh, &losses);
  AddOutcome(epsilon, high, 4 * kUnit * high + low_error, cut.mesh, &losses);
  return losses;
}

std::vector<RoughLoss> RoughResponse(double epsilon, double delta) {
  const double high = (1 - delta) / (1 + std::exp(-epsilon));
  return {{-epsilon, 1 - delta - high}, {epsilon, high}};
}

}  // namespace tacit::accounting::pld
