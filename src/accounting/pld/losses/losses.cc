#include "accounting/pld/losses/losses.h"

#include <cmath>

#include "accounting/pld/losses/event_losses.h"

namespace tacit::accounting::pld {
namespace {

// Below this the likelihood ratios leave the range of a double; epsilon would be above 200.
const Rational kSigmaMin(1, 20);
// Why these: the losses are cut point by point, a microsecond each.
const Rational kVarianceMax(100000000);
constexpr int kSensitivityMax = 100000;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace

Losses CutLosses(const Event& event, Direction direction, const Mesh& mesh, int64_t stride,
                 double tail) {
  const Cut cut{mesh, stride, tail};
  return std::visit(
      Overloaded{
          [&](const PureEvent& e) { return CutResponse(e.epsilon.value, 0, cut); },
          [&](const ExponentialMechanismEvent& e) { return CutResponse(e.epsilon.value, 0, cut); },
          [&](const ApproximateEvent& e) {
            return CutResponse(e.epsilon.value, e.delta.value, cut);
          },
          [&](const LaplaceEvent& e) { return CutLaplace(e.epsilon.value, cut); },
          [&](const DiscreteLaplaceEvent& e) { return CutDiscreteLaplace(e, cut); },
          [&](const GaussianEvent& e) { return CutGaussian(e.sigma.get_d(), cut); },
          [&](const DiscreteGaussianEvent& e) { return CutDiscreteGaussian(e, cut); },
          [&](const SubsampledGaussianEvent& e) {
            if (e.rate == 1) return CutGaussian(e.sigma.get_d(), cut);
            return CutSubsampled(e.sigma.get_d(), e.rate.get_d(), direction, cut);
          }},
      event);
}

std::vector<RoughLoss> RoughLosses(const Event& event, Direction direction, double tail) {
  return std::visit(
      Overloaded{[&](const PureEvent& e) { return RoughResponse(e.epsilon.value.get_d(), 0); },
                 [&](const ExponentialMechanismEvent& e) {
                   return RoughResponse(e.epsilon.value.get_d(), 0);
                 },
                 [&](const ApproximateEvent& e) {
                   return RoughResponse(e.epsilon.value.get_d(), e.delta.value.get_d());
                 },
                 [&](const LaplaceEvent& e) { return RoughLaplace(e.epsilon.value.get_d()); },
                 [&](const DiscreteLaplaceEvent& e) { return RoughDiscreteLaplace(e); },
                 [&](const GaussianEvent& e) {
                   return RoughSubsampled(e.sigma.get_d(), 1, direction, tail);
                 },
                 [&](const DiscreteGaussianEvent& e) {
                   return RoughSubsampled(std::sqrt(e.sigma_squared.get_d()), 1, direction, tail);
                 },
                 [&](const SubsampledGaussianEvent& e) {
                   return RoughSubsampled(e.sigma.get_d(), e.rate.get_d(), direction, tail);
                 }},
      event);
}

Rational LatticeStep(const Event& event) {
  return std::visit(
      Overloaded{[](const PureEvent& e) { return e.epsilon.value; },
                 [](const ExponentialMechanismEvent& e) { return e.epsilon.value; },
                 [](const ApproximateEvent& e) { return e.epsilon.value; },
                 [](const LaplaceEvent& e) { return e.epsilon.value; },
                 [](const DiscreteLaplaceEvent& e) { return Rational(1 / e.scale); },
                 [](const DiscreteGaussianEvent& e) { return Rational(1 / (2 * e.sigma_squared)); },
                 [](const auto&) { return Rational(0); }},
      event);
}

bool IsLattice(const Event& event) {
  return !std::holds_alternative<LaplaceEvent>(event) && LatticeStep(event) != 0;
}

Result<Done> CheckSupported(const Event& event, Neighbours neighbours) {
  const auto refuse = [](std::string reason) { return Result<Done>(InvalidArgument(reason)); };
  return std::visit(
      Overloaded{
          [&](const SubsampledGaussianEvent& e) {
            if (neighbours == Neighbours::kReplaceOne) {
              return refuse(
                  "Poisson sampling is proven for add_remove neighbours only, not for replace_one");
            }
            if (e.sigma < kSigmaMin) return refuse("sigma below 0.05 leaves no privacy to compute");
            return Result<Done>(Done{});
          },
          [&](const GaussianEvent& e) {
            if (e.sigma < kSigmaMin) return refuse("sigma below 0.05 leaves no privacy to compute");
            return Result<Done>(Done{});
          },
          [&](const DiscreteGaussianEvent& e) {
            if (e.sensitivity_l2_squared > 1) {
              return refuse(
                  "the loss of a discrete Gaussian is proven for sensitivity 1 only; zCDP holds");
            }
            if (e.sigma_squared > kVarianceMax) {
              return refuse("the lattice of a discrete Gaussian of sigma above 10000 is too fine");
            }
            if (e.sigma_squared < kSigmaMin) return refuse("sigma leaves no privacy to compute");
            return Result<Done>(Done{});
          },
          [&](const DiscreteLaplaceEvent& e) {
            if (e.sensitivity_l1 > kSensitivityMax) {
              return refuse("the lattice of a sensitivity above 100000 is too fine; use pure");
            }
            return Result<Done>(Done{});
          },
          [&](const auto&) { return Result<Done>(Done{}); }},
      event);
}

}  // namespace tacit::accounting::pld
