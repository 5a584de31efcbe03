#pragma once

#include <vector>

#include "attack/dice.h"
#include "attack/reconstruction/solve.h"
#include "attack/statistics.h"

namespace tacit::attack {

// n fair coins, m random subsets (each person in each with chance 1/2), Gaussian noise of deviation
// c sqrt(n) on every sum.
struct CoinExperiment {
  uint32_t people = 512;
  uint32_t answers = 2048;
  double noise = 0.5;  // c
  bool linear_program = false;
  int runs = 3;
};

// The share of coins that the solver gets right, over the runs.
Result<Estimate> ReconstructCoins(const CoinExperiment& experiment, const Dice& dice);

// What least squares should get right, for large n: F(1 / (2 s)), s^2 = c^2 (4n/m) / (1 - n/m).
double LeastSquaresTheory(double answers_per_person, double noise);

// A random subset of `people`: each with chance 1/2.
std::vector<uint32_t> RandomSubset(uint32_t people, Dice& dice);

double ShareRight(const std::vector<double>& guess, const std::vector<bool>& truth);

}  // namespace tacit::attack
