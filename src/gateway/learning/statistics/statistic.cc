#include "gateway/learning/statistics/statistic.h"

namespace tacit::gateway::learning {

const Statistic* StatisticOf(const std::string& task) {
  for (const Statistic* statistic :
       {&kHistogram, &kTopK, &kChiSquare, &kTTest, &kSurvival, &kWinner, &kBestPrice}) {
    if (task == statistic->task) return statistic;
  }
  return nullptr;
}

}  // namespace tacit::gateway::learning
