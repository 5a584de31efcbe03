#pragma once

#include <vector>

#include "noise/cube/cube_noise.h"

namespace tacit::noise {

// How far numbers that are drawn together may be off. Estimates for people, made of public
// parameters in floating point: nothing private and no privacy parameter depends on them.
class CubeEstimate {
 public:
  explicit CubeEstimate(const CubeNoise& noise);

  // The smallest whole m with P(|z_i| > m) <= 5 %, for a number of this width.
  Integer ErrorAt95(const Integer& width) const;

  // The radius in the middle of each of so many equally likely parts, in rising order: given it, a
  // number of width w is uniform within radius * w.
  std::vector<double> Radii(int parts) const;

 private:
  double Tail(double m, double width) const;

  size_t size_;
  double scale_;
  std::vector<double> chances_;  // of the radii 0, 1, ...; empty where a gamma law says it as well
};

// Of one number, in the middle of each of so many equally likely parts, in rising order.
std::vector<Integer> CubeErrors(const CubeNoise& noise, size_t i, int parts);

}  // namespace tacit::noise
