#include <algorithm>
#include <cmath>

#include "accounting/pld/losses/event_losses.h"

namespace tacit::accounting::pld {
namespace {

// Why 4096: a sensitivity with fewer lattice points than this is cut point by point.
constexpr int kLatticePointsMax = 4096;

}  // namespace

// With epsilon = sensitivity / scale the loss is epsilon (mass 1/2) left of both centres, -epsilon
// (mass e^-epsilon / 2) right of both, and between them P has the density e^((loss - epsilon)/2)/4.
// proof: accounting/pld/losses/laplace_vector.md#claim
Losses CutLaplace(const Rational& epsilon, const Cut& cut) {
  Losses losses;
  const double eps = epsilon.get_d();
  AddOutcome(Rational(-epsilon), std::exp(-eps) / 2, std::exp(-eps) * kUnit * (4 + eps), cut.mesh,
             &losses);
  // An epsilon off the grid: the cells between begin and end inside a grid cell.
  const Rational place = epsilon / cut.mesh.exact;
  const int64_t last = CeilOf(place).get_si();
  const int64_t stride = place.get_den() == 1 ? cut.stride : 1;
  std::vector<Cell> cells;
  for (int64_t left = -last; left < last;) {
    const int64_t right = std::min(left + stride, last);
    const double a = std::max(cut.Point(left), -eps);
    const double b = std::min(cut.Point(right), eps);
    const double width = b - a;
    const double scale = std::exp((a - eps) / 2) / 2;
    const double p = scale * std::expm1(width / 2);
    const double q = scale * std::exp(-a) * -std::expm1(-width / 2);
    const double sinh_quarter = std::sinh(width / 4);
    // p - e^a q in closed form; the grid point may lie below a.
    const double u = scale * 4 * sinh_quarter * sinh_quarter +
                     q * std::exp(a) * -std::expm1(cut.Point(left) - a);
    const double relative = kUnit * (16 + 2 * eps / std::max(width, 1e-300));
    cells.push_back(Cell{left, right, p, u, p * relative, u * 2 * relative});
    left = right;
  }
  // The lower atom of an epsilon off the grid shares its cell with the first of these.
  for (const Cell& cell : cells) {
    if (!losses.cells.empty() && losses.cells.back().left == cell.left) {
      losses.cells.back().p += cell.p;
      losses.cells.back().u += cell.u;
      losses.cells.back().p_error += cell.p_error + kUnit * losses.cells.back().p;
      losses.cells.back().u_error += cell.u_error + kUnit * losses.cells.back().u;
      losses.cells.back().right = cell.right;
    } else {
      losses.cells.push_back(cell);
    }
  }
  AddOutcome(epsilon, 0.5, 0, cut.mesh, &losses);
  return losses;
}

std::vector<RoughLoss> RoughLaplace(double epsilon) {
  constexpr int kPoints = 128;
  std::vector<RoughLoss> rough = {{-epsilon, std::exp(-epsilon) / 2}, {epsilon, 0.5}};
  const double width = 2 * epsilon / kPoints;
  for (int i = 0; i < kPoints; ++i) {
    const double loss = -epsilon + width * (i + 0.5);
    rough.push_back({loss, width / 4 * std::exp((loss - epsilon) / 2)});
  }
  return rough;
}

// Outcomes x = 0 .. D: losses (D - 2x) / scale; x <= 0 all have loss D / scale, x >= D all
// -D / scale. P(x) = (1 - a) / (1 + a) a^|x| with a = e^(-1/scale).
// proof: accounting/pld/losses/laplace_vector.md#claim
Losses CutDiscreteLaplace(const DiscreteLaplaceEvent& event, const Cut& cut) {
  Losses losses;
  const double rate = 1 / event.scale.get_d();
  const double a = std::exp(-rate);
  const double unit_mass = -std::expm1(-rate) / (1 + a);
  const int64_t d = event.sensitivity_l1.get_si();
  const auto error = [&](double x, double p) { return p * kUnit * (12 + 2 * rate * x); };
  const auto tail = [&](double x) { return std::exp(-rate * x) / (1 + a); };  // P(X >= x), x >= 0
  const Rational top = event.sensitivity_l1 / event.scale;
  const double low = tail(static_cast<double>(d));
  AddOutcome(Rational(-top), low, error(static_cast<double>(d), low), cut.mesh, &losses);
  for (int64_t x = d - 1; x > 0; --x) {
    const Rational loss = (event.sensitivity_l1 - Integer(2 * x)) / event.scale;
    const double p = unit_mass * std::exp(-rate * static_cast<double>(x));
    AddOutcome(loss, p, error(static_cast<double>(x), p), cut.mesh, &losses);
  }
  AddOutcome(top, 1 / (1 + a), 8 * kUnit, cut.mesh, &losses);
  return losses;
}

std::vector<RoughLoss> RoughDiscreteLaplace(const DiscreteLaplaceEvent& event) {
  const double epsilon = Rational(event.sensitivity_l1 / event.scale).get_d();
  if (event.sensitivity_l1 > kLatticePointsMax) return RoughLaplace(epsilon);
  const double rate = 1 / event.scale.get_d();
  const double a = std::exp(-rate);
  const int d = static_cast<int>(event.sensitivity_l1.get_si());
  std::vector<RoughLoss> rough = {{epsilon, 1 / (1 + a)},
                                  {-epsilon, std::exp(-rate * d) / (1 + a)}};
  for (int x = 1; x < d; ++x) {
    rough.push_back({rate * (d - 2 * x), (1 - a) / (1 + a) * std::exp(-rate * x)});
  }
  return rough;
}

}  // namespace tacit::accounting::pld
