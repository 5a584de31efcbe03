#include "accounting/zcdp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/interval/interval.h"

namespace tacit::accounting {
namespace {

// Budgets beyond the range of a double are cut to it, which is down.
constexpr double kLargest = std::numeric_limits<double>::max();
// From here on the search for the order would leave that range; alpha rho alone is within 1e-9.
constexpr double kRhoHuge = 1e300;

// The x in [-60, 60] with the smallest value of a function with one minimum: golden section on
// ln(alpha - 1).
template <class F>
double ArgMin(F f) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = -60;
  double high = 60;
  double a = high - ratio * (high - low);
  double b = low + ratio * (high - low);
  double fa = f(a);
  double fb = f(b);
  for (int i = 0; i < 90; ++i) {
    if (fa <= fb) {
      high = b, b = a, fb = fa;
      a = high - ratio * (high - low);
      fa = f(a);
    } else {
      low = a, a = b, fa = fb;
      b = low + ratio * (high - low);
      fb = f(b);
    }
  }
  return (low + high) / 2;
}

// With s = alpha - 1: ln(1 - 1/alpha) = ln s - ln(1 + s).
double RoughEpsilon(double rho, double delta_log, double s_log) {
  const double s = std::exp(s_log);
  return (1 + s) * rho + s_log - std::log1p(s) - (delta_log + std::log1p(s)) / s;
}

double RoughDeltaLog(double rho, double epsilon, double s_log) {
  const double s = std::exp(s_log);
  return s * ((1 + s) * rho - epsilon) + s * (s_log - std::log1p(s)) - std::log1p(s);
}

Interval EpsilonAt(const Interval& rho, const Interval& delta, double s_exact) {
  const Interval s(s_exact);
  const Interval alpha = Interval(1) + s;
  return alpha * rho + Log(s / alpha) - (Log(delta) + Log(alpha)) / s;
}

double BestOrder(double rho, double delta_log) {
  return std::exp(ArgMin([&](double s_log) { return RoughEpsilon(rho, delta_log, s_log); }));
}

double DeltaLog(const Delta& delta) { return Log(Interval(delta.value)).Up(); }

}  // namespace

// proof: accounting/composition/composition.md#composition-in-closed-form
double ZcdpEpsilonUp(const Rho& rho, const Delta& delta) {
  TACIT_ASSERT(delta.value > 0);
  const double s = BestOrder(rho.value.get_d(), DeltaLog(delta));
  return std::max(0.0, EpsilonAt(Interval(rho.value), Interval(delta.value), s).Up());
}

// proof: accounting/composition/composition.md#composition-in-closed-form
double ZcdpEpsilonDown(const Rho& rho, const Delta& delta) {
  TACIT_ASSERT(delta.value > 0);
  if (rho.value <= 0) return 0;
  if (rho.value > kRhoHuge) return std::min(ToDoubleDown(rho.value), kLargest) * (1 - 1e-9);
  const double s = BestOrder(rho.value.get_d(), DeltaLog(delta));
  const double near = EpsilonAt(Interval(rho.value), Interval(delta.value), s).Down();
  // The search may miss the minimum by its square-root precision: far less than this margin.
  return std::max(0.0, near * (1 - 1e-9) - 1e-12);
}

double ZcdpDeltaUp(const Rho& rho, double epsilon) {
  const double r = rho.value.get_d();
  const double s_near =
      std::exp(ArgMin([&](double s_log) { return RoughDeltaLog(r, epsilon, s_log); }));
  const Interval s(s_near);
  const Interval alpha = Interval(1) + s;
  const Interval exponent =
      s * (alpha * Interval(rho.value) - Interval(epsilon)) + s * Log(s / alpha) - Log(alpha);
  return std::min(1.0, Exp(exponent).Up());
}

Rho ZcdpRhoDown(const Epsilon& epsilon, const Delta& delta) {
  if (delta.value <= 0) return Rho(0, 1);
  const double eps = epsilon.value.get_d();
  const double delta_log = DeltaLog(delta);
  const auto minus_rho = [&](double s_log) {
    const double s = std::exp(s_log);
    return -(eps - s_log + std::log1p(s) + (delta_log + std::log1p(s)) / s) / (1 + s);
  };
  const Interval s(std::exp(ArgMin(minus_rho)));
  const Interval alpha = Interval(1) + s;
  const Interval rho =
      (Interval(epsilon.value) - Log(s / alpha) + (Log(Interval(delta.value)) + Log(alpha)) / s) /
      alpha;
  // As a double: short to store and to show, and still rounded down.
  return Rho(RationalOf(std::clamp(rho.Down(), 0.0, kLargest)));
}

}  // namespace tacit::accounting
