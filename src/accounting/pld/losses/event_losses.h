#pragma once

#include <cmath>

#include "accounting/pld/losses/losses.h"

namespace tacit::accounting::pld {

struct Cut {
  const Mesh& mesh;
  int64_t stride = 1;
  double tail = 0;

  double Point(int64_t index) const { return static_cast<double>(index) * mesh.step; }
};

// Half an ulp of 1: the relative error of one rounded operation.
inline constexpr double kUnit = 1.1102230246251565e-16;

// Randomised response with infinite loss of mass delta: dominates every (epsilon, delta)-DP
// release.
Losses CutResponse(const Rational& epsilon, const Rational& delta, const Cut& cut);
Losses CutLaplace(const Rational& epsilon, const Cut& cut);
Losses CutDiscreteLaplace(const DiscreteLaplaceEvent& event, const Cut& cut);
Losses CutGaussian(double sigma, const Cut& cut);
Losses CutDiscreteGaussian(const DiscreteGaussianEvent& event, const Cut& cut);
Losses CutSubsampled(double sigma, double rate, Direction direction, const Cut& cut);

std::vector<RoughLoss> RoughResponse(double epsilon, double delta);
std::vector<RoughLoss> RoughLaplace(double epsilon);
std::vector<RoughLoss> RoughDiscreteLaplace(const DiscreteLaplaceEvent& event);
std::vector<RoughLoss> RoughSubsampled(double sigma, double rate, Direction direction, double tail);

// A set of outcomes of one loss, put on its grid point or into its cell; called with ascending
// losses. `q` of it is p e^-loss.
void AddOutcome(const Rational& loss, double p, double p_error, const Mesh& mesh, Losses* losses);

// The mass of N(0, 1) above z.
inline double NormalTail(double z) { return std::erfc(z * M_SQRT1_2) / 2; }

// The mass of N(0, sigma) between two points and a bound of its error.
struct NormalMass {
  double mass = 0;
  double error = 0;
};
NormalMass NormalBetween(double from, double to, double sigma);

}  // namespace tacit::accounting::pld
