#include "plan/compile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/testing/asked.h"
#include "policy/load.h"
#include "policy/testing/sample.h"

namespace tacit::plan {
namespace {

using analysis::testing::FactsOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// A tenth a query, one at most, and a delta of 1e-9.
policy::Privacy ThePrivacy() {
  return policy::Parse(policy::testing::SampleWith("  people: {unit: pid, rows_per_unit: 1}\n"),
                       "tacit.yaml")
      .value()
      .privacy;
}

Result<PrivatePlan> Planned(const std::string& query, const Wish& wish = {}) {
  return Compile(FactsOf(query), ThePrivacy(), wish);
}

Wish WishOf(const Rational& epsilon) {
  Wish wish;
  wish.epsilon = Epsilon(epsilon);
  return wish;
}

std::vector<std::string> NamesOf(const PrivatePlan& plan) {
  std::vector<std::string> names;
  for (const OutputColumn& column : plan.columns) names.push_back(column.name);
  return names;
}

TEST(Compile, ThePriceAskedIsThePriceOfAllReleasesTogether) {
  const char* query = "SELECT avg(age) FROM people UNION ALL SELECT avg(days) FROM visits";
  for (const Rational& price : {Rational(1, 10), Rational(1, 3), Rational(1)}) {
    const PrivatePlan plan = Planned(query, WishOf(price)).value();
    ASSERT_THAT(plan.releases, SizeIs(2));
    EXPECT_EQ(plan.cost.epsilon, price);
    EXPECT_EQ(Rational(plan.releases[0].cost.epsilon + plan.releases[1].cost.epsilon), price);
  }
  EXPECT_EQ(Planned(query)->cost.epsilon, Rational(1, 10)) << "the policy's";
  EXPECT_FALSE(Planned(query, WishOf(Rational(11, 10))).ok()) << "above the highest";
}

TEST(Compile, OnlyPrivateKeysAreSelectedAndTakeADelta) {
  const PrivatePlan listed = Planned("SELECT sex, count(*) FROM people GROUP BY sex").value();
  EXPECT_TRUE(std::holds_alternative<AllGroups>(listed.releases.at(0).selection));
  EXPECT_EQ(listed.cost.delta, 0);
  const PrivatePlan found = Planned("SELECT city, count(*) FROM people GROUP BY city").value();
  EXPECT_FALSE(std::holds_alternative<AllGroups>(found.releases.at(0).selection));
  EXPECT_GT(found.cost.delta, 0);
  EXPECT_LE(found.cost.delta, ThePrivacy().query.delta.value);
}

TEST(Compile, WhatIsPublicIsReadAndNotReleased) {
  const PrivatePlan plan = Planned("SELECT floor, count(*) FROM wards GROUP BY floor").value();
  EXPECT_THAT(plan.releases, SizeIs(0));
  EXPECT_THAT(plan.public_tables, SizeIs(1));
  EXPECT_EQ(plan.cost.epsilon, 0);
}

TEST(Compile, AQuestionInsideAnotherIsReleasedFirst) {
  const PrivatePlan plan =
      Planned("SELECT count(*) FROM people WHERE age > (SELECT avg(age) FROM people)").value();
  ASSERT_THAT(plan.releases, SizeIs(2));
  EXPECT_THAT(plan.releases[0].made_from, SizeIs(0));
  EXPECT_THAT(plan.releases[1].made_from, ElementsAre(0u));
}

TEST(Compile, IntervalsStandBesideTheirColumns) {
  const char* query = "SELECT sex, count(*) AS n FROM people GROUP BY sex";
  EXPECT_THAT(NamesOf(*Planned(query)), ElementsAre("sex", "n"));
  Wish wish;
  wish.intervals = true;
  EXPECT_THAT(NamesOf(*Planned(query, wish)), ElementsAre("sex", "n", "n_low", "n_high"));
}

std::vector<std::string> NamesRaised(const PrivatePlan& plan) {
  std::vector<std::string> names;
  for (const OutputColumn& column : plan.columns) {
    if (column.none_below_zero) names.push_back(column.name);
  }
  return names;
}

TEST(Compile, WhatIsNeverBelowZeroIsShownSoWhereThatIsWished) {
  const char* query =
      "SELECT sex, count(*) AS n, sum(age) AS years, sum(age - 50) AS off, avg(age) AS mean, "
      "count(*) - 10 AS less FROM people GROUP BY sex";
  EXPECT_THAT(NamesRaised(*Planned(query)), SizeIs(0));
  Wish wish;
  wish.nonnegative = true;
  const PrivatePlan plan = Planned(query, wish).value();
  EXPECT_THAT(NamesRaised(plan), ElementsAre("n", "years"));
  EXPECT_THAT(plan.notices, Contains(HasSubstr("shown as 0, as you asked")));
  EXPECT_THAT(plan.notices, Contains(HasSubstr("n, years.")));
  EXPECT_EQ(plan.fingerprint, Planned(query)->fingerprint) << "the same question";
  wish.intervals = true;
  EXPECT_THAT(NamesRaised(*Planned(query, wish)),
              ElementsAre("n", "n_low", "n_high", "years", "years_low", "years_high"));
  const PrivatePlan mean = Planned("SELECT avg(age) FROM people", wish).value();
  EXPECT_THAT(NamesRaised(mean), SizeIs(0));
  EXPECT_THAT(mean.notices, Not(Contains(HasSubstr("as you asked"))));
}

TEST(Compile, SaysWhichRowsAreInNoGroup) {
  const PrivatePlan plan = Planned("SELECT sex, count(*) FROM people GROUP BY sex").value();
  EXPECT_THAT(plan.notices, Contains(HasSubstr("sex")));
  EXPECT_THAT(Planned("SELECT count(*) FROM people")->notices, SizeIs(0));
}

TEST(Compile, WhoMayNotSeeTheStatementsIsLeftWithPriceAndProofs) {
  PrivatePlan plan = Planned("SELECT sex, count(*) FROM people GROUP BY sex").value();
  const Rational price = plan.cost.epsilon;
  ForgetStatements(plan);
  EXPECT_FALSE(plan.releases.at(0).exact);
  EXPECT_EQ(plan.cost.epsilon, price);
  EXPECT_FALSE(plan.releases.at(0).facts.empty());
}

}  // namespace
}  // namespace tacit::plan
