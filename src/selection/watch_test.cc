#include "selection/watch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "noise/above_threshold/above_threshold.h"
#include "noise/testing/goodness_of_fit.h"
#include "selection/drawn_index.h"
#include "selection/testing/clinic.h"

namespace tacit::selection {
namespace {

constexpr char kQuestions[] =
    "SELECT count(*) FROM visits WHERE dept = 'c';"
    "SELECT count(*) FROM visits WHERE dept = 'a';"
    "SELECT count(*) FROM visits WHERE dept = 'b'";

WatchPlan PlanOf(const gateway::Request& asker, const char* threshold,
                 const gateway::Services& services) {
  Result<Scores> scores = ReadScores(kQuestions, asker, services);
  EXPECT_TRUE(scores.ok()) << scores.error().public_message;
  return PlanWatch(std::move(scores).value(), ParseRational(threshold).value()).value();
}

TEST(Watch, IsChargedOnceAndReplayedWhateverItFound) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  const gateway::Request asker = testing::Asker("0.5");
  for (const char* threshold : {"7", "100000"}) {
    const Rational before = clinic.Spent();
    const WatchPlan plan = PlanOf(asker, threshold, services);
    const Result<Watched> first = Watch(plan, asker, services, {});
    ASSERT_TRUE(first.ok()) << first.error().public_message << first.error().private_detail;
    EXPECT_TRUE(first->receipt.charged());
    EXPECT_EQ(clinic.Spent() - before, Rational(1, 2));
    for (int i = 0; i < 5; ++i) {
      const Result<Watched> again = Watch(plan, asker, services, {});
      ASSERT_TRUE(again.ok());
      EXPECT_FALSE(again->receipt.charged());
      EXPECT_EQ(again->alarm, first->alarm);
    }
    EXPECT_EQ(clinic.Spent() - before, Rational(1, 2));
  }
  // No number is near it.
  EXPECT_FALSE(Watch(PlanOf(asker, "100000", services), asker, services, {})->alarm);
}

TEST(Watch, IsRefusedWhenTheBudgetDoesNotSuffice) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  const gateway::Request asker = testing::Asker("2");
  ASSERT_TRUE(Watch(PlanOf(asker, "3", services), asker, services, {}).ok());
  const Result<Watched> second = Watch(PlanOf(asker, "4", services), asker, services, {});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBudgetExhausted);
  EXPECT_EQ(clinic.Spent(), 2);
}

TEST(Watch, AQuoteChargesNothing) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  const gateway::Request asker = testing::Asker("0.5");
  const WatchPlan plan = PlanOf(asker, "7", services);
  ASSERT_TRUE(QuoteWatch(plan, asker, services).ok());
  EXPECT_EQ(clinic.Spent(), 0);
  ASSERT_TRUE(Watch(plan, asker, services, {}).ok());
  EXPECT_TRUE(QuoteWatch(plan, asker, services)->releases[0].bytes.has_value());
}

// What the engine finds goes into the mechanism as it is: the whole way, many times, on a clinic
// and on one with one person more, who is in every department.
TEST(Watch, OnePersonChangesNoAnswersChanceByMoreThanThePrice) {
  const char* const person =
      "INSERT INTO visits VALUES (99, 'a', 1, 1), (99, 'b', 1, 1), (99, 'c', 1, 1)";
  const int runs = noise::testing::IsLongRun() ? 20'000 : 1'500;
  const auto tally = [&](const std::vector<std::string>& more) {
    std::vector<double> counts(4, 0.0);
    testing::Clinic clinic(more);
    gateway::Services services = clinic.Services();
    const gateway::Request asker = testing::Asker("1");
    const WatchPlan plan = PlanOf(asker, "8", services);
    // The draw alone is repeated: a charge each would need a budget without end.
    const auto mechanism = noise::AboveThreshold::Make({.sensitivity = plan.scores.sensitivity,
                                                        .moves_together = true,
                                                        .numbers = 3,
                                                        .epsilon = Epsilon(1, 1)})
                               .value();
    std::vector<Int128> found;
    const Draw look = [&](const std::vector<Int128>& numbers, Entropy&) {
      found = numbers;
      return IndexToBytes({});
    };
    SelectionRelease release(plan.scores, asker, "look", look, {}, services);
    EXPECT_TRUE(release.CarryOut().ok());
    for (int i = 0; i < runs; ++i) ++counts[mechanism.Apply(found, 8, services.entropy)];
    if (more.empty()) {
      EXPECT_EQ(found, (std::vector<Int128>{5, 10, 10}));
    } else {
      EXPECT_EQ(found, (std::vector<Int128>{6, 11, 11}));
    }
    return counts;
  };
  const std::vector<double> without = tally({});
  const std::vector<double> with = tally({person});
  for (size_t i = 0; i < 4; ++i) {
    const double spread = 5 * std::sqrt(1 / (without[i] + 1) + 1 / (with[i] + 1));
    EXPECT_LT(std::abs(std::log((without[i] + 1) / (with[i] + 1))), 1 + spread) << i;
  }
}

TEST(Watch, UnderZcdpThePriceIsTheRhoOfItsEpsilon) {
  testing::Clinic clinic({}, "zcdp");
  gateway::Services services = clinic.Services();
  const gateway::Request asker = testing::Asker("0.5");
  const Result<Watched> watched = Watch(PlanOf(asker, "7", services), asker, services, {});
  ASSERT_TRUE(watched.ok()) << watched.error().public_message;
  EXPECT_EQ(ledger::ReadAccounts(clinic.LedgerPath())->at(0).spent.rho, Rational(1, 8));
}

TEST(DrawnIndex, OnlyWhatWasWrittenIsRead) {
  EXPECT_EQ(*IndexFromBytes(IndexToBytes(2), 3), std::optional<size_t>(2));
  EXPECT_EQ(*IndexFromBytes(IndexToBytes({}), 3), std::optional<size_t>());
  const std::string good = IndexToBytes(2);
  for (const std::string& bytes :
       {std::string(), IndexToBytes(3), good + "x", good.substr(1), good.substr(0, good.size() - 1),
        good + "99999999999999999999"}) {
    EXPECT_FALSE(IndexFromBytes(bytes, 3).ok()) << bytes;
  }
}

}  // namespace
}  // namespace tacit::selection
