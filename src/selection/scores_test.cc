#include "selection/scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "selection/testing/clinic.h"

namespace tacit::selection {
namespace {

using ::testing::HasSubstr;

TEST(Scores, CountsAndSumsOfOneStepMayStandTogether) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  const Result<Scores> scores = ReadScores(
      "SELECT count(*) FROM visits;\nSELECT count(DISTINCT pid) FROM visits WHERE dept = 'a';"
      "SELECT sum(days) FROM visits",
      testing::Asker("0.5"), services);
  ASSERT_TRUE(scores.ok()) << scores.error().public_message;
  EXPECT_EQ(scores->scores.size(), 3u);
  EXPECT_EQ(scores->step, 1);
  EXPECT_EQ(scores->sensitivity, 3 * 9);  // three visits of nine days
  EXPECT_TRUE(scores->moves_together);
  EXPECT_EQ(scores->scores[1].text, "SELECT count(DISTINCT pid) FROM visits WHERE dept = 'a'");
}

TEST(Scores, ASumThatMayBeNegativeMovesBothWays) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  const Result<Scores> scores =
      ReadScores("SELECT count(*) FROM visits; SELECT sum(days - 5) FROM visits",
                 testing::Asker("0.5"), services);
  ASSERT_TRUE(scores.ok()) << scores.error().public_message;
  EXPECT_FALSE(scores->moves_together);
}

TEST(Scores, WhatDoesNotGiveOneNumberIsRefusedAtItsPlace) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  for (const char* question :
       {"SELECT dept, count(*) FROM visits GROUP BY dept", "SELECT count(*), sum(days) FROM visits",
        "SELECT avg(days) FROM visits", "SELECT 2 * count(*) FROM visits",
        "SELECT count(*) + 1 FROM visits", "SELECT count(*)::text FROM visits",
        "SELECT count(*) FROM visits HAVING count(*) > 3", "SELECT count(*) FROM visits LIMIT 0",
        "SELECT max(days) FROM visits", "SELECT median(days) FROM visits", "SELECT 1",
        "SELECT n FROM (SELECT count(*) AS n FROM visits) q WHERE n > 3", "SET tacit.epsilon = 1",
        "SELECT count(*) FROM visits WHERE days > (SELECT avg(days) FROM visits)",
        "SELECT * FROM visits", "SELECT count(*) FROM nowhere", "COMMIT",
        "SELECT stddev(days) FROM visits", "SELECT count(*) FROM visits UNION ALL SELECT 1"}) {
    const std::string text = std::string("SELECT count(*) FROM visits;\n") + question;
    const Result<Scores> scores = ReadScores(text, testing::Asker("0.5"), services);
    ASSERT_FALSE(scores.ok()) << question;
    EXPECT_GE(scores.error().position.value_or(-1), 28) << question;
    EXPECT_NE(scores.error().code, ErrorCode::kUnavailable) << question;
  }
  EXPECT_EQ(clinic.Spent(), 0);
}

TEST(Scores, NumbersOfDifferentStepsAreNotCompared) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  const Result<Scores> scores = ReadScores(
      "SELECT count(*) FROM visits; SELECT sum(cost) FROM visits", testing::Asker("0.5"), services);
  ASSERT_FALSE(scores.ok());
  EXPECT_THAT(scores.error().public_message, HasSubstr("in steps of 0.01"));
  EXPECT_THAT(scores.error().public_message, HasSubstr("the first one in steps of 1"));
}

TEST(Scores, AnEmptyFileAndAPriceAboveThePolicysAreRefused) {
  testing::Clinic clinic;
  gateway::Services services = clinic.Services();
  EXPECT_FALSE(ReadScores("", testing::Asker("0.5"), services).ok());
  EXPECT_FALSE(ReadScores("-- nothing\n;", testing::Asker("0.5"), services).ok());
  EXPECT_FALSE(ReadScores("SELECT count(*) FROM visits", testing::Asker("50"), services).ok());
  EXPECT_FALSE(ReadScores("SELECT count(*", testing::Asker("0.5"), services).ok());
}

}  // namespace
}  // namespace tacit::selection
