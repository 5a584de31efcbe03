#include "gateway/learning/kmeans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "answer/shown/margins.h"
#include "gateway/testing/cells_gateway.h"

namespace tacit::gateway::learning {
namespace {

using ::testing::HasSubstr;

std::string CentresOfRows(const std::string& rows, const std::string& options = "") {
  return "SELECT * FROM tacit.kmeans('" + rows + "'" + options + ")";
}
// Members of both kinds: about 32 and 63 years old.
constexpr char kCentreRowsAsked[] = "SELECT age, member FROM people";

class KmeansTest : public testing::CellsGateway {};

TEST_F(KmeansTest, AtAPriceThatLeavesNoNoiseItCountsEverybodyAndFindsTheGroups) {
  Services services = ServicesNow();
  const Result<LearnedCentres> learned =
      LearnCentres({.task = "kmeans", .rows = kCentreRowsAsked, .options = {{"k", "2"}}},
                   At("", Rational(100'000'000)), services);
  ASSERT_TRUE(learned.ok()) << learned.error().public_message << learned.error().private_detail;
  const learn::CentreFit& fit = learned->model.fit;
  EXPECT_NEAR(fit.rows, 8000, 0.5);
  ASSERT_EQ(fit.centres.size(), 2u);
  // The groups are whether somebody is a member, the widest that there is.
  const size_t member = fit.centres[0].at[1] > fit.centres[1].at[1] ? 0 : 1;
  EXPECT_NEAR(fit.centres[member].at[1], 1, 0.01);
  EXPECT_NEAR(fit.centres[1 - member].at[1], 0, 0.01);
  const Result<answer::Answer> mean =
      Ask(At("SELECT avg(age) FROM people WHERE member", Rational(100'000'000)));
  ASSERT_TRUE(mean.ok());
  EXPECT_NEAR(fit.centres[member].at[0], answer::FiniteNumber(mean->rows[0][0]).value(), 1);
}

TEST_F(KmeansTest, IsChargedOnceAndThenFree) {
  const std::string call = CentresOfRows(kCentreRowsAsked, ", k => 3");
  const Result<answer::Answer> told = Ask(At("EXPLAIN " + call, 2, "ana"));
  ASSERT_TRUE(told.ok()) << told.error().public_message;
  std::string text;
  for (const std::vector<engine::Value>& row : told->rows) {
    text += std::get<std::string>(row[0]) + "\n";
  }
  EXPECT_THAT(text, HasSubstr("rows by cell of a public grid"));
  EXPECT_THAT(text, HasSubstr("step 3 of 3"));
  EXPECT_THAT(text, HasSubstr("6 rounds, one charge"));
  EXPECT_EQ(SpentNow().epsilon, 0);
  const Result<answer::Answer> first = Ask(At(call, 2, "ana"));
  ASSERT_TRUE(first.ok()) << first.error().public_message;
  EXPECT_EQ(SpentNow().epsilon, 2);
  EXPECT_EQ(first->rows.size(), 6u);
  const int runs = engine_->runs;
  const Result<answer::Answer> again = Ask(At(call, 2, "ana"));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->rows == first->rows);
  EXPECT_EQ(engine_->runs, runs);
  EXPECT_EQ(SpentNow().epsilon, 2);
  // Another k is another model.
  ASSERT_TRUE(Ask(At(CentresOfRows(kCentreRowsAsked, ", k => 4"), 2, "ana")).ok());
  EXPECT_EQ(SpentNow().epsilon, 4);
}

TEST_F(KmeansTest, UnderZcdpItCostsRho) {
  Make("replace_one", "zcdp");
  const Result<answer::Answer> answer = Ask(At(CentresOfRows(kCentreRowsAsked), 1));
  ASSERT_TRUE(answer.ok()) << answer.error().public_message;
  EXPECT_EQ(SpentNow().rho, Rational(1, 2));
  EXPECT_EQ(answer->rows.size(), 10u);
}

TEST_F(KmeansTest, RefusesBeforeAnythingIsCharged) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {CentresOfRows("SELECT age, free FROM people"), "free has no public range"},
      {CentresOfRows("SELECT age, town FROM people"), "town is text"},
      {CentresOfRows(kCentreRowsAsked, ", k => 1"), "k is '1'"},
      {CentresOfRows(kCentreRowsAsked, ", k => 51"), "k is '51'"},
      {CentresOfRows(kCentreRowsAsked, ", k => 'many'"), "k is"},
      {CentresOfRows(kCentreRowsAsked, ", target => 'member'"), "no option target"},
      {CentresOfRows("SELECT count(*) AS n FROM people"), "gives none"},
      {CentresOfRows("SELECT x FROM places"), "gives none"},
      {"SELECT * FROM tacit.kmeans()", "takes the rows to learn from first"},
  };
  for (const auto& [text, why] : cases) {
    for (const char* explain : {"", "EXPLAIN "}) {
      const Result<answer::Answer> answer = Ask(At(explain + text, 1));
      ASSERT_FALSE(answer.ok()) << text;
      EXPECT_THAT(answer.error().public_message, HasSubstr(why)) << text;
    }
  }
  EXPECT_EQ(SpentNow().epsilon, 0);
}

TEST_F(KmeansTest, OfNoRowsTheAnswerHasTheSameShape) {
  const size_t rows = Ask(At(CentresOfRows(kCentreRowsAsked), 10))->rows.size();
  EXPECT_EQ(rows, 10u);
  Make("add_remove", "pure", "DELETE FROM people");
  const Result<answer::Answer> answer = Ask(At(CentresOfRows(kCentreRowsAsked), 10));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->rows.size(), rows);
}

}  // namespace
}  // namespace tacit::gateway::learning
