#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "base/testing/tape_entropy.h"
#include "learn/classify/margins.h"
#include "learn/classify/train.h"

namespace tacit::learn {
namespace {

struct MadeRows {
  CellWish wish;
  CellRows rows{1};
};

// Three features of 5, 3 and 2 cells; the class by `likely(cells)`.
template <class Likely>
MadeRows Make(CellTask task, int count, uint64_t seed, const Likely& likely) {
  MadeRows made{.wish = {.task = task,
                         .target = {.name = "y", .kind = CellKind::kBoolean},
                         .features = {BinsOf("a", 0, 4, true, 16)}},
                .rows = CellRows(4)};
  CellColumn b{.name = "b", .kind = CellKind::kCategory};
  b.values = {"x", "y", "z"};
  made.wish.features.push_back(b);
  made.wish.features.push_back({.name = "c", .kind = CellKind::kBoolean});
  std::mt19937_64 bits(seed);
  std::map<std::vector<uint16_t>, int64_t> equal;
  for (int i = 0; i < count; ++i) {
    const std::vector<uint16_t> cells = {static_cast<uint16_t>(bits() % 5),
                                         static_cast<uint16_t>(bits() % 3),
                                         static_cast<uint16_t>(bits() % 2)};
    const bool second = static_cast<double>(bits() % 1'000'000) / 1e6 < likely(cells);
    ++equal[{static_cast<uint16_t>(second ? 1 : 0), cells[0], cells[1], cells[2]}];
  }
  for (const auto& [codes, weight] : equal) made.rows.Add(codes, weight);
  return made;
}

CellFit FitOf(const MadeRows& made, double price, bool gaussian = false, uint64_t seed = 1) {
  CellWish wish = made.wish;
  wish.gaussian = gaussian;
  const auto priced =
      PriceRounds(RoundsOf(wish), {}, {.gaussian = gaussian, .amount = RationalOf(price)}).value();
  tacit::testing::SeededEntropy entropy(seed);
  Rounds rounds(made.rows, priced, entropy);
  return Train(wish, rounds);
}

double AccuracyOf(const CellFit& fit, const MadeRows& made) {
  double right = 0;
  double all = 0;
  for (size_t i = 0; i < made.rows.size(); ++i) {
    const uint16_t* codes = made.rows.Codes(i);
    const size_t found = ClassOf(made.wish.task, OutputsOf(fit, {codes[1], codes[2], codes[3]}));
    right += found == codes[0] ? static_cast<double>(made.rows.Weight(i)) : 0;
    all += static_cast<double>(made.rows.Weight(i));
  }
  return right / all;
}

double LogisticFunction(double x) { return 1 / (1 + std::exp(-x)); }
double Straight(const std::vector<uint16_t>& cells) {
  return LogisticFunction(-3 + 1.2 * cells[0] + (cells[1] == 2 ? 1.5 : 0) - 1.0 * cells[2]);
}
// What no sum of cells says.
double Crossed(const std::vector<uint16_t>& cells) {
  return (cells[0] < 2) == (cells[2] == 1) ? 0.95 : 0.05;
}

constexpr CellTask kEveryTask[] = {CellTask::kNaiveBayes, CellTask::kSvm, CellTask::kLogistic,
                                   CellTask::kTree, CellTask::kBoost};

TEST(Classify, SharesOfEveryTaskAddUpToTheWholePrice) {
  for (const CellTask task : kEveryTask) {
    for (const bool gaussian : {false, true}) {
      CellWish wish = Make(task, 1, 1, Straight).wish;
      wish.gaussian = gaussian;
      Rational shares = 0;
      for (const Round& round : RoundsOf(wish)) shares += round.share;
      EXPECT_EQ(shares, 1) << NameOf(task);
    }
  }
}

TEST(Classify, WithoutNoiseNaiveBayesHasTheShares) {
  const MadeRows made = Make(CellTask::kNaiveBayes, 5000, 2, Straight);
  const CellFit fit = FitOf(made, 1e9);
  ASSERT_TRUE(fit.known);
  double in = 0;
  double all = 0;
  for (size_t i = 0; i < made.rows.size(); ++i) {
    if (made.rows.Codes(i)[0] != 1) continue;
    all += static_cast<double>(made.rows.Weight(i));
    in += made.rows.Codes(i)[2] == 2 ? static_cast<double>(made.rows.Weight(i)) : 0;
  }
  EXPECT_NEAR(std::exp(fit.weights[1][1][2]), in / all, 1e-6);
  EXPECT_NEAR(std::exp(fit.constants[1]), all / 5000, 1e-6);
  EXPECT_NEAR(fit.rows, 5000, 0.01);
}

TEST(Classify, WithoutNoiseLogisticRegressionHasTheLogOdds) {
  const MadeRows made = Make(CellTask::kLogistic, 40000, 3, Straight);
  const CellFit fit = FitOf(made, 1e9);
  ASSERT_TRUE(fit.known);
  // Eight steps are near the minimum, which is near the truth.
  const std::vector<std::vector<double>>& weights = fit.weights[0];
  EXPECT_NEAR(weights[0][4] - weights[0][0], 4.8, 0.5);
  EXPECT_NEAR(weights[1][2] - weights[1][0], 1.5, 0.2);
  EXPECT_NEAR(weights[2][1] - weights[2][0], -1, 0.15);
}

TEST(Classify, PullsStayWithinTheirLimitAndPointToTheClass) {
  for (const CellTask task : {CellTask::kSvm, CellTask::kLogistic}) {
    int64_t before = kMarginUnits;
    for (int64_t margin = -40 * kMarginUnits; margin <= 40 * kMarginUnits; margin += 7) {
      const int64_t second = PullOf(task, true, margin);
      const int64_t first = PullOf(task, false, margin);
      EXPECT_GE(second, 0);
      EXPECT_LE(second, kMarginUnits);
      EXPECT_LE(first, 0);
      EXPECT_GE(first, -kMarginUnits);
      EXPECT_LE(second, before) << margin;  // the loss is convex
      before = second;
    }
    EXPECT_LE(std::abs(PullOf(task, true, INT64_MAX / 4)), kMarginUnits);
  }
  for (double x = -7.9; x < 7.9; x += 0.05) {
    const auto margin = static_cast<int64_t>(std::llround(x * 1024));
    EXPECT_NEAR(static_cast<double>(PullOf(CellTask::kLogistic, true, margin)) / 1024,
                1 - LogisticFunction(x), 0.004);
  }
}

// The best that can be had is about .80, guessing .60.
TEST(Classify, AtAnOrdinaryPriceEveryTaskIsNearTheBest) {
  for (const CellTask task : kEveryTask) {
    const MadeRows made = Make(task, 40000, 4, Straight);
    const double best = AccuracyOf(FitOf(made, 1e9), made);
    EXPECT_GT(AccuracyOf(FitOf(made, 1), made), best - 0.02) << NameOf(task);
    EXPECT_GT(AccuracyOf(FitOf(made, 0.1, true), made), best - 0.02) << NameOf(task);
  }
}

TEST(Classify, TreesSeeWhatNoSumOfCellsSays) {
  for (const CellTask task : kEveryTask) {
    const MadeRows made = Make(task, 40000, 5, Crossed);
    const double accuracy = AccuracyOf(FitOf(made, 5), made);
    if (task == CellTask::kTree || task == CellTask::kBoost) {
      EXPECT_GT(accuracy, 0.9) << NameOf(task);
    } else {
      EXPECT_LT(accuracy, 0.7) << NameOf(task);
    }
  }
}

TEST(Classify, NothingIsSaidOfRowsThatTheNoiseHides) {
  for (const CellTask task : kEveryTask) {
    EXPECT_FALSE(FitOf(Make(task, 0, 6, Straight), 1).known) << NameOf(task);
    // Whatever the noise does, there is an answer and it is finite.
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const MadeRows few = Make(task, 60, seed, Straight);
      const CellFit fit = FitOf(few, 0.5, false, seed);
      if (!fit.known) continue;
      for (const double output : OutputsOf(fit, {4, 2, 1})) EXPECT_TRUE(std::isfinite(output));
    }
  }
}

TEST(Classify, NaiveBayesKnowsItsNoise) {
  // 400 releases; how often an interval of 1.96 deviations holds what there would be without noise.
  const MadeRows made = Make(CellTask::kNaiveBayes, 5000, 7, Straight);
  const CellFit exact = FitOf(made, 1e9);
  int held = 0;
  int narrow = 0;
  constexpr int kRuns = 400;
  for (int run = 0; run < kRuns; ++run) {
    const CellFit fit = FitOf(made, 0.3, true, 100 + static_cast<uint64_t>(run));
    const double off = std::abs(fit.weights[1][0][0] - exact.weights[1][0][0]);
    held += off <= 1.96 * fit.noise[1][0][0] ? 1 : 0;
    narrow += off <= 0.7 * fit.noise[1][0][0] ? 1 : 0;
  }
  EXPECT_GT(held, kRuns * 0.91);
  EXPECT_LT(narrow, kRuns * 0.7);  // half of it would not hold
}

}  // namespace
}  // namespace tacit::learn
