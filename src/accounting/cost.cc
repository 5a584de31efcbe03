#include "accounting/cost.h"

#include <algorithm>

#include "accounting/gaussian.h"
#include "accounting/interval/bisect.h"
#include "accounting/interval/interval.h"
#include "accounting/zcdp.h"

namespace tacit::accounting {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

Epsilon DiscreteLaplaceEpsilon(const DiscreteLaplaceEvent& event) {
  return Epsilon(Rational(event.sensitivity_l1 / event.scale));
}

Rho GaussianRho(const Rational& sensitivity_squared, const Rational& sigma_squared) {
  return Rho(Rational(sensitivity_squared / (2 * sigma_squared)));
}

// Randomised response, the worst of all (epsilon, delta)-DP releases.
double ResponseDeltaUp(const Rational& own_epsilon, const Rational& own_delta, double epsilon) {
  if (RationalOf(epsilon) >= own_epsilon) return ToDoubleUp(own_delta);
  const Interval up = Exp(Interval(own_epsilon));
  const Interval d(own_delta);
  const Interval finite = (up - Exp(Interval(epsilon))) / (Interval(1) + up);
  return (d + (Interval(1) - d) * finite).Up();
}

double LaplaceDeltaUp(const Rational& own_epsilon, double epsilon) {
  const Interval half = (Interval(epsilon) - Interval(own_epsilon)) / Interval(2);
  return std::max(0.0, (Interval(1) - Exp(half)).Up());
}

// Outcomes x with loss (D - 2x)/t > epsilon are x <= m for m = ceil((D - epsilon t)/2) - 1; there P
// has 1 - a^(m+1)/(1+a) and Q, centred at D, has a^(D-m)/(1+a), with a = e^(-1/t).
double DiscreteLaplaceDeltaUp(const DiscreteLaplaceEvent& event, double epsilon) {
  const Rational& t = event.scale;
  const Integer& d = event.sensitivity_l1;
  const Integer m = CeilOf((d - RationalOf(epsilon) * t) / 2) - 1;
  if (m < 0) return 0;
  const auto power = [&](const Integer& n) { return Exp(Interval(Rational(-n / t))); };
  const Interval below = Interval(1) + power(1);
  const Interval p = Interval(1) - power(m + 1) / below;
  const Interval q = power(d - m) / below;
  return std::max(0.0, (p - Exp(Interval(epsilon)) * q).Up());
}

}  // namespace

std::optional<Epsilon> PureEpsilon(const Event& event) {
  return std::visit(
      Overloaded{
          [](const PureEvent& e) -> std::optional<Epsilon> { return e.epsilon; },
          [](const LaplaceEvent& e) -> std::optional<Epsilon> { return e.epsilon; },
          [](const ExponentialMechanismEvent& e) -> std::optional<Epsilon> { return e.epsilon; },
          [](const DiscreteLaplaceEvent& e) -> std::optional<Epsilon> {
            return DiscreteLaplaceEpsilon(e);
          },
          [](const ApproximateEvent& e) -> std::optional<Epsilon> {
            if (e.delta.value != 0) return std::nullopt;
            return e.epsilon;
          },
          [](const auto&) -> std::optional<Epsilon> { return std::nullopt; }},
      event);
}

std::optional<ApproximateEvent> ApproximateCost(const Event& event) {
  if (const auto* approximate = std::get_if<ApproximateEvent>(&event)) return *approximate;
  if (const auto pure = PureEpsilon(event)) return ApproximateEvent{*pure, Delta(0, 1)};
  return std::nullopt;
}

// proof: accounting/composition/composition.md#composition-in-closed-form
std::optional<ZcdpCost> ZcdpCostOf(const Event& event) {
  const auto exact = [](Rho rho) -> std::optional<ZcdpCost> {
    return ZcdpCost{std::move(rho), Delta(0, 1)};
  };
  return std::visit(
      Overloaded{[&](const ExponentialMechanismEvent& e) {  // bounded range
                   return exact(Rho(Rational(e.epsilon.value * e.epsilon.value / 8)));
                 },
                 [&](const GaussianEvent& e) {
                   return exact(GaussianRho(1, Rational(e.sigma * e.sigma)));
                 },
                 [&](const DiscreteGaussianEvent& e) {
                   return exact(GaussianRho(e.sensitivity_l2_squared, e.sigma_squared));
                 },
                 [&](const SubsampledGaussianEvent& e) -> std::optional<ZcdpCost> {
                   if (e.rate != 1) return std::nullopt;
                   return exact(GaussianRho(1, Rational(e.sigma * e.sigma)));
                 },
                 [&](const ApproximateEvent& e) -> std::optional<ZcdpCost> {
                   return ZcdpCost{RhoOfPure(e.epsilon), e.delta};
                 },
                 [&](const auto&) { return exact(RhoOfPure(*PureEpsilon(event))); }},
      event);
}

double DeltaUp(const Event& event, double epsilon) {
  const auto at_most_one = [](double delta) { return std::clamp(delta, 0.0, 1.0); };
  return std::visit(
      Overloaded{[&](const LaplaceEvent& e) { return LaplaceDeltaUp(e.epsilon.value, epsilon); },
                 [&](const DiscreteLaplaceEvent& e) { return DiscreteLaplaceDeltaUp(e, epsilon); },
                 [&](const GaussianEvent& e) {
                   return at_most_one(GaussianDelta(e.sigma, Interval(epsilon)).Up());
                 },
                 [&](const DiscreteGaussianEvent& e) {
                   return at_most_one(ZcdpDeltaUp(
                       GaussianRho(e.sensitivity_l2_squared, e.sigma_squared), epsilon));
                 },
                 [&](const SubsampledGaussianEvent& e) {
                   return at_most_one(SubsampledGaussianDelta(e.sigma, e.rate, epsilon).Up());
                 },
                 [&](const ApproximateEvent& e) {
                   return ResponseDeltaUp(e.epsilon.value, e.delta.value, epsilon);
                 },
                 [&](const auto& e) { return ResponseDeltaUp(e.epsilon.value, 0, epsilon); }},
      event);
}

double EpsilonUp(const Event& event, const Delta& delta) {
  const double target = ToDoubleDown(delta.value);
  if (const auto pure = PureEpsilon(event); pure && target == 0) return ToDoubleUp(pure->value);
  return SmallestWhere([&](double epsilon) { return DeltaUp(event, epsilon) <= target; });
}

}  // namespace tacit::accounting
