#include "accounting/filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "accounting/zcdp.h"

namespace tacit::accounting {
namespace {

Rational Parsed(const char* text) { return ParseRational(text).value(); }

TEST(PureFilter, SpendsTheBudgetToTheLastTenthAndNoFurther) {
  PureFilter filter({Epsilon(1, 1), Delta(1, 1000000)});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(filter.Spend({Epsilon(1, 10), Delta(0, 1)}).ok());
  EXPECT_EQ(filter.Remaining().epsilon, Epsilon(0, 1));
  const auto refused = filter.Spend({Epsilon(1, 1000000000), Delta(0, 1)});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kBudgetExhausted);
  EXPECT_FALSE(filter.CanSpend({Epsilon(0, 1), Delta(1, 999999)}));
  EXPECT_TRUE(filter.CanSpend({Epsilon(0, 1), Delta(1, 1000000)}));
}

// 200 random runs (fixed seed): never above the budget, and what was accepted sums up to the same
// state in any order.
TEST(PureFilter, NeverOverspendsAndForgetsTheOrder) {
  std::mt19937 random(20240607);
  for (int run = 0; run < 200; ++run) {
    const PureFilter::Cost budget{Epsilon(3, 1), Delta(1, 100)};
    PureFilter filter(budget);
    std::vector<PureFilter::Cost> accepted;
    for (int i = 0; i < 60; ++i) {
      const PureFilter::Cost cost{Epsilon(random() % 1000, 1 + random() % 9000),
                                  Delta(random() % 10, 1000 + random() % 99999)};
      const bool could = filter.CanSpend(cost);
      EXPECT_EQ(filter.Spend(cost).ok(), could);
      if (could) accepted.push_back(cost);
      EXPECT_TRUE(filter.Spent().epsilon <= budget.epsilon);
      EXPECT_TRUE(filter.Spent().delta <= budget.delta);
    }
    std::shuffle(accepted.begin(), accepted.end(), random);
    PureFilter again(budget);
    for (const PureFilter::Cost& cost : accepted) EXPECT_TRUE(again.Spend(cost).ok());
    EXPECT_EQ(again.Spent().epsilon, filter.Spent().epsilon);
    EXPECT_EQ(again.Spent().delta, filter.Spent().delta);
  }
}

TEST(ZcdpFilter, ItsRhoConvertsBackToTheBudget) {
  const ZcdpFilter filter({Epsilon(3, 1), Delta(Parsed("1e-6"))});
  EXPECT_EQ(filter.ConversionDelta(), Delta(Parsed("5e-7")));
  EXPECT_LE(ZcdpEpsilonUp(filter.BudgetRho(), filter.ConversionDelta()), 3 + 1e-12);
  EXPECT_LE(filter.RemainingEpsilonDown(), 3);
  EXPECT_GT(filter.RemainingEpsilonDown(), 2.9999);
}

TEST(ZcdpFilter, NeverOverspendsAndForgetsTheOrder) {
  std::mt19937 random(20240608);
  for (int run = 0; run < 200; ++run) {
    const PureFilter::Cost budget{Epsilon(2, 1), Delta(Parsed("1e-6"))};
    ZcdpFilter filter(budget);
    std::vector<ZcdpCost> accepted;
    for (int i = 0; i < 60; ++i) {
      const ZcdpCost cost{Rho(random() % 100, 1 + random() % 90000),
                          Delta(Rational(random() % 10) * Parsed("1e-8"))};
      const double before = filter.RemainingEpsilonDown();
      const bool could = filter.CanSpend(cost);
      EXPECT_EQ(filter.Spend(cost).ok(), could);
      if (could) accepted.push_back(cost);
      EXPECT_LE(filter.RemainingEpsilonDown(), before);
      EXPECT_TRUE(filter.Spent().rho <= filter.BudgetRho());
      EXPECT_TRUE(filter.Spent().delta.value * 2 <= budget.delta.value);
    }
    std::shuffle(accepted.begin(), accepted.end(), random);
    ZcdpFilter again(budget);
    for (const ZcdpCost& cost : accepted) EXPECT_TRUE(again.Spend(cost).ok());
    EXPECT_EQ(again.Spent().rho, filter.Spent().rho);
  }
}

TEST(ZcdpFilter, ABudgetWithoutDeltaBuysNothing) {
  ZcdpFilter filter({Epsilon(1, 1), Delta(0, 1)});
  EXPECT_FALSE(filter.CanSpend({Rho(1, 1000000), Delta(0, 1)}));
  EXPECT_EQ(filter.RemainingEpsilonDown(), 0);
}

}  // namespace
}  // namespace tacit::accounting
