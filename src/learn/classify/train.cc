#include "learn/classify/train.h"

#include "base/assert.h"
#include "learn/classify/boost.h"
#include "learn/classify/margins.h"
#include "learn/classify/naive_bayes.h"
#include "learn/classify/tree.h"

namespace tacit::learn {

std::vector<Round> RoundsOf(const CellWish& wish) {
  TACIT_ASSERT(!wish.features.empty());
  switch (wish.task) {
    case CellTask::kNaiveBayes:
      return NaiveBayesRounds(wish);
    case CellTask::kSvm:
    case CellTask::kLogistic:
      return MarginRounds(wish);
    case CellTask::kTree:
      return TreeRounds(wish);
    case CellTask::kBoost:
      return BoostRounds(wish);
  }
  return {};
}

CellFit Train(const CellWish& wish, Rounds& rounds) {
  switch (wish.task) {
    case CellTask::kNaiveBayes:
      return TrainNaiveBayes(wish, rounds);
    case CellTask::kSvm:
    case CellTask::kLogistic:
      return TrainMargins(wish, rounds);
    case CellTask::kTree:
      return TrainTree(wish, rounds);
    case CellTask::kBoost:
      return TrainBoost(wish, rounds);
  }
  return {};
}

}  // namespace tacit::learn
