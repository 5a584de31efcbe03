#include "learn/classify/train.h"

#include "base/assert.h"
#include "learn/classify/boost.h"
#include "learn/classify/margins.h"
#include "learn/classify/naive_bayes.h"
#include "learn/classify/tree.h"

namespace tacit::learn {

namespace {

// Why a tenth: a score of some hundred rows needs no more, and the model hardly misses it.
Rational ScoreShare() { return Rational(1, 10); }

std::vector<Round> TrainingRounds(const CellWish& wish) {
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

CellFit Trained(const CellWish& wish, Rounds& rounds) {
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

}  // namespace

std::vector<Round> RoundsOf(const CellWish& wish) {
  TACIT_ASSERT(!wish.features.empty());
  std::vector<Round> rounds = TrainingRounds(wish);
  if (!wish.scored) return rounds;
  for (Round& round : rounds) round.share *= 1 - ScoreShare();
  rounds.push_back({.what = "rows held out, by class and whether the model says it",
                    .tables = {{.cells = 2 * wish.target.Cells(), .limit = 1}},
                    .nonnegative = true,
                    .held_out = true,
                    .unit = 1,
                    .share = ScoreShare()});
  return rounds;
}

// proof: learn/rounds/proof.md#who-is-held-out
CellFit Train(const CellWish& wish, Rounds& rounds) {
  CellFit fit = Trained(wish, rounds);
  if (!wish.scored || !fit.known) return fit;
  const std::vector<double> counts =
      rounds.Next([&](const uint16_t* codes, int64_t&, Rounds::Summand* summands) {
        const std::vector<uint16_t> cells(codes + 1, codes + 1 + wish.features.size());
        const bool right = ClassOf(wish.task, OutputsOf(fit, cells)) == codes[0];
        summands[0] = {2 * static_cast<size_t>(codes[0]) + (right ? 0 : 1), 1};
      });
  CellScore score{.right = {}, .wrong = {}, .noise = rounds.LastDeviation()};
  for (size_t c = 0; c < wish.target.Cells(); ++c) {
    score.right.push_back(counts[2 * c]);
    score.wrong.push_back(counts[2 * c + 1]);
  }
  fit.score = std::move(score);
  return fit;
}

}  // namespace tacit::learn
