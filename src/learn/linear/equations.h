#pragma once

#include <Eigen/Dense>
#include <vector>

#include "learn/moments.h"

namespace tacit::learn {

// The normal equations of the terms, and where each of their numbers was released.
struct Equations {
  std::vector<size_t> terms;  // the constant first
  size_t target = 0;
  Pairs pairs;
  Eigen::MatrixXd gram;
  Eigen::VectorXd cross;

  auto Size() const { return static_cast<Eigen::Index>(terms.size()); }
};

Equations EquationsOf(const Moments& moments, size_t target, const std::vector<size_t>& features);

// The features' covariances times the number of rows, and about how large the noise's largest
// eigenvalue in it is: 2 sigma sqrt(p) for a symmetric matrix of independent noise.
struct Spread {
  double least = 0;  // eigenvalue
  double noise = 0;
};

Spread SpreadOf(const Moments& moments, const Equations& equations);

}  // namespace tacit::learn
