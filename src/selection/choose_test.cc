#include "selection/choose.h"

#include <gtest/gtest.h>

#include "selection/testing/clinic.h"

namespace tacit::selection {
namespace {

constexpr char kDepartments[] =
    "SELECT count(*) FROM visits WHERE dept = 'a';"
    "SELECT count(*) FROM visits WHERE dept = 'b';"
    "SELECT count(*) FROM visits WHERE dept = 'c'";

// So many people more in department b.
std::vector<std::string> ACrowd() {
  return {"INSERT INTO visits SELECT 1000 + i, 'b', 1, 1 FROM range(500) t(i)"};
}

ChoicePlan PlanOf(const gateway::Request& asker, Wanted wanted, const gateway::Services& services) {
  Result<Scores> scores = ReadScores(kDepartments, asker, services);
  EXPECT_TRUE(scores.ok()) << scores.error().public_message;
  return PlanChoice(std::move(scores).value(), wanted).value();
}

TEST(Choose, FindsTheLargestAndTheSmallestFromAfar) {
  for (const char* accounting : {"pure", "zcdp"}) {
    testing::Clinic clinic(ACrowd(), accounting);
    gateway::Services services = clinic.Services();
    const gateway::Request asker = testing::Asker("0.25");
    const ChoicePlan largest = PlanOf(asker, Wanted::kLargest, services);
    EXPECT_LT(largest.margin, 120);
    const Result<Chosen> chosen = Choose(largest, asker, services, {});
    ASSERT_TRUE(chosen.ok()) << chosen.error().public_message << chosen.error().private_detail;
    EXPECT_EQ(chosen->index, 1u);
    const Result<Chosen> again = Choose(largest, asker, services, {});
    EXPECT_FALSE(again->receipt.charged());
    EXPECT_EQ(again->index, 1u);
    const Result<Chosen> smallest =
        Choose(PlanOf(asker, Wanted::kSmallest, services), asker, services, {});
    ASSERT_TRUE(smallest.ok()) << smallest.error().public_message
                               << smallest.error().private_detail;
    EXPECT_TRUE(smallest->receipt.charged());
    EXPECT_NE(smallest->index, 1u);
  }
}

TEST(Choose, ThePriceIsThatOfOneQuestion) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  const gateway::Request asker = testing::Asker("0.25");
  const ChoicePlan plan = PlanOf(asker, Wanted::kLargest, services);
  EXPECT_EQ(plan.mechanism, "permute_and_flip");
  ASSERT_TRUE(QuoteChoice(plan, asker, services).ok());
  EXPECT_EQ(clinic.Spent(), 0);
  ASSERT_TRUE(Choose(plan, asker, services, {}).ok());
  EXPECT_EQ(clinic.Spent(), Rational(1, 4));
}

TEST(Choose, AFinerChoiceServesWhoeverPaysLess) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  const gateway::Request dear = testing::Asker("1");
  const Result<Chosen> first = Choose(PlanOf(dear, Wanted::kLargest, services), dear, services, {});
  ASSERT_TRUE(first.ok());
  const gateway::Request cheap = testing::Asker("0.5");
  const Result<Chosen> second =
      Choose(PlanOf(cheap, Wanted::kLargest, services), cheap, services, {});
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(clinic.Spent(), 1);
  EXPECT_EQ(second->index, first->index);
}

TEST(Choose, UnderZcdpItCostsWhatThePriceBuysAndErrsLess) {
  testing::Clinic pure;
  testing::Clinic zcdp({}, "zcdp");
  gateway::Services of_pure = pure.Services();
  gateway::Services of_zcdp = zcdp.Services();
  const gateway::Request asker = testing::Asker("0.5");
  const ChoicePlan plan = PlanOf(asker, Wanted::kLargest, of_zcdp);
  EXPECT_EQ(plan.mechanism, "exponential_mechanism");
  EXPECT_LE(plan.margin, PlanOf(asker, Wanted::kLargest, of_pure).margin * 2);
  ASSERT_TRUE(Choose(plan, asker, of_zcdp, {}).ok());
  EXPECT_EQ(ledger::ReadAccounts(zcdp.LedgerPath())->at(0).spent.rho, Rational(1, 8));
}

TEST(Choose, AnAnalystPaysAndIsRefusedWhenUnknown) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  gateway::Request asker = testing::Asker("0.5");
  asker.analyst = "nobody";
  const Result<Scores> scores = ReadScores(kDepartments, asker, services);
  ASSERT_TRUE(scores.ok());
  const ChoicePlan plan = PlanChoice(*scores, Wanted::kLargest).value();
  EXPECT_FALSE(Choose(plan, asker, services, {}).ok());
  EXPECT_EQ(clinic.Spent(), 0);
}

}  // namespace
}  // namespace tacit::selection
