#include "attack/reconstruction/threshold.h"

#include <cmath>

namespace tacit::attack {

std::vector<uint32_t> RandomSubset(uint32_t people, Dice& dice) {
  std::vector<uint32_t> subset;
  subset.reserve(people);
  uint64_t word = 0;
  for (uint32_t i = 0; i < people; ++i) {
    if (i % 64 == 0) word = dice.Next();
    if ((word & 1) != 0) subset.push_back(i);
    word >>= 1;
  }
  return subset;
}

double ShareRight(const std::vector<double>& guess, const std::vector<bool>& truth) {
  size_t right = 0;
  for (size_t i = 0; i < truth.size(); ++i) right += (guess[i] > 0.5) == truth[i] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

double LeastSquaresTheory(double answers_per_person, double noise) {
  const double deviation = noise * std::sqrt(4 / answers_per_person / (1 - 1 / answers_per_person));
  return 0.5 * std::erfc(-0.5 / deviation / std::sqrt(2.0));
}

Result<Estimate> ReconstructCoins(const CoinExperiment& experiment, const Dice& dice) {
  std::vector<double> shares;
  for (int run = 0; run < experiment.runs; ++run) {
    Dice own = dice.Part(static_cast<uint64_t>(run));
    std::vector<bool> coins(experiment.people);
    for (size_t i = 0; i < coins.size(); ++i) coins[i] = own.Chance(0.5);
    SubsetAnswers answers{.people = experiment.people, .subsets = {}, .counts = {}};
    const double deviation = experiment.noise * std::sqrt(experiment.people);
    for (uint32_t i = 0; i < experiment.answers; ++i) {
      std::vector<uint32_t> subset = RandomSubset(experiment.people, own);
      double count = deviation * own.Normal();
      for (const uint32_t person : subset) count += coins[person] ? 1 : 0;
      answers.counts.push_back(count);
      answers.subsets.push_back(std::move(subset));
    }
    if (experiment.linear_program) {
      TACIT_TRY(const std::vector<double> guess, SolveLinearProgram(answers));
      shares.push_back(ShareRight(guess, coins));
    } else {
      shares.push_back(ShareRight(SolveLeastSquares(answers, 1e-6), coins));
    }
  }
  return MeanOf(shares);
}

}  // namespace tacit::attack
