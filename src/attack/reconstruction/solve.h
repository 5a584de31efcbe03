#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"

namespace tacit::attack {

// Answers to "how many of this subset have the secret" about n people.
struct SubsetAnswers {
  uint32_t people = 0;
  std::vector<std::vector<uint32_t>> subsets;
  std::vector<double> counts;  // one for each subset
};

// Both return n numbers; above 1/2 means "has the secret".

// Least squares around 1/2 with Eigen: minimises |A x - b|^2 + ridge |x - 1/2|^2. A ridge of four
// times the noise's variance is the best linear guess about fair coins; a tiny one is plain least
// squares, and picks the shortest solution when there are fewer answers than people.
std::vector<double> SolveLeastSquares(const SubsetAnswers& answers, double ridge);

// The linear program of Dinur and Nissim with CLP: 0 <= x <= 1, minimising the sum of |A x - b|.
// kInternal when CLP finds no optimum.
Result<std::vector<double>> SolveLinearProgram(const SubsetAnswers& answers);

}  // namespace tacit::attack
