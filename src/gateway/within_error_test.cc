#include "gateway/within_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answer/format/numbers.h"
#include "gateway/testing/asked_gateway.h"

namespace tacit::gateway {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class WithinErrorTest : public testing::AskedGateway {};

Request Within(const std::string& text, const std::string& error) {
  Request request{.text = text, .analyst = "ana", .request_id = "", .wish = {}};
  request.wish.error = plan::ReadErrorWish(error).value();
  return request;
}

TEST_F(WithinErrorTest, APartOfWhatIsShownIsBoughtInStepsAndIsFreeAgain) {
  const std::string count = "SELECT count(*) AS n FROM people";
  ASSERT_TRUE(Ask(Within(count, "10 %")).ok());
  EXPECT_EQ(Spent(), Rational(1, 25)) << "the first step is enough: 75 of 1000";
  const Result<answer::Answer> finer = Ask(Within(count, "n = 2 %"));
  ASSERT_TRUE(finer.ok()) << finer.error().public_message;
  EXPECT_EQ(finer->columns[0].error->moe95, 19);
  const Rational spent = Spent();
  EXPECT_EQ(spent, Rational(finer->privacy.cost.epsilon + Rational(1, 25)));
  const Result<answer::Answer> again = Ask(Within(count, "2 %"));
  EXPECT_EQ(again->rows, finer->rows);
  EXPECT_EQ(Spent(), spent);
}

TEST_F(WithinErrorTest, AComputedNumbersOwnErrorIsWhatIsBought) {
  const Result<answer::Answer> mean = Ask(Within("SELECT avg(age) AS mean FROM people", "2.5"));
  ASSERT_TRUE(mean.ok()) << mean.error().public_message << mean.error().hint;
  const std::vector<engine::Value> margins = *mean->margins.begin();
  EXPECT_LE(std::get<double>(margins[0]), 2.5);
  EXPECT_GT(mean->privacy.cost.epsilon, Rational(1, 25)) << "of all steps together";
  EXPECT_EQ(mean->privacy.cost.epsilon, Spent());
  EXPECT_THAT(mean->notices[0],
              HasSubstr("cost " + answer::ShortNumber(Spent(), answer::Rounding::kUp)));
}

// The count says what the average's noise will be: one step, at the price that is needed.
TEST_F(WithinErrorTest, AnAverageIsPricedByACountThatTheAskerHas) {
  const std::string mean = "SELECT avg(age) AS mean FROM people WHERE age > 10";
  const auto explained = [&](const std::string& analyst) {
    Request request = Within("EXPLAIN " + mean, "4");
    request.analyst = analyst;
    return std::get<std::string>(Ask(request).value().rows[0][0]);
  };
  const std::string before = explained("ana");
  EXPECT_THAT(before, HasSubstr("epsilon 0.04"));
  Request count{.text = "SELECT count(age) FROM people WHERE age > 10",
                .analyst = "ana",
                .request_id = "",
                .wish = {}};
  count.wish.epsilon = Epsilon(Rational(1, 10));
  ASSERT_TRUE(Ask(count).ok());
  EXPECT_EQ(explained("bob"), before) << "it is not bob's";
  const int runs = engine_->runs;
  const Result<answer::Answer> answer = Ask(Within(mean, "4"));
  ASSERT_TRUE(answer.ok()) << answer.error().public_message << answer.error().hint;
  EXPECT_LE(std::get<double>((*answer->margins.begin())[0]), 4);
  EXPECT_EQ(engine_->runs, runs + 1) << "one step";
  const Rational spent = Spent();
  EXPECT_EQ(Ask(Within(mean, "4"))->rows, answer->rows);
  EXPECT_EQ(Spent(), spent);
}

TEST_F(WithinErrorTest, OrByACountOfTheRowsWithOrWithoutAValue) {
  const Request mean = Within("EXPLAIN SELECT avg(age) AS mean FROM people WHERE age > 10", "4");
  const std::string before = std::get<std::string>(Ask(mean).value().rows[0][0]);
  Request count{.text = "SELECT count(*) FROM people WHERE age > 10",
                .analyst = mean.analyst,
                .request_id = "",
                .wish = {}};
  count.wish.epsilon = Epsilon(Rational(1, 10));
  ASSERT_TRUE(Ask(count).ok());
  EXPECT_NE(std::get<std::string>(Ask(mean).value().rows[0][0]), before);
}

TEST_F(WithinErrorTest, AnErrorThatIsTooDearSaysWhatItWouldTakeAndWhatIsToBeHad) {
  const Result<answer::Answer> refused = Ask(Within("SELECT count(*) AS n FROM people", "0.01 %"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().rule, "price_above_limit");
  EXPECT_THAT(refused.error().public_message,
              HasSubstr("an error of 0.01 % costs more than a query may, epsilon 1: about"));
  EXPECT_THAT(refused.error().hint, AllOf(HasSubstr("the best that epsilon 1 buys is about 0.2"),
                                          HasSubstr("cost epsilon 0.04, and the answer")));
  EXPECT_EQ(Spent(), Rational(1, 25));
}

// 1e-400 is less than any double above zero, and 1e300 times a count's error over it more than any.
TEST_F(WithinErrorTest, NoWishIsTooSmallToBeRefused) {
  for (const auto& [text, error] :
       {std::pair("SELECT count(*) AS n FROM people", "1e-400 %"),
        std::pair("SELECT avg(age) AS mean FROM people", "1e-400"),
        std::pair("SELECT count(*) * 1e300::float8 AS n FROM people", "1e-100")}) {
    const Result<answer::Answer> refused = Ask(Within(text, error));
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().rule, "price_above_limit") << refused.error().public_message;
  }
}

TEST_F(WithinErrorTest, StepsUnderARequestIdAreTheSameAtEveryTry) {
  Request request = Within("SELECT count(*) AS n FROM people WHERE age > 20", "2 %");
  request.request_id = "id";
  const Result<answer::Answer> first = Ask(request);
  ASSERT_TRUE(first.ok());
  const Rational spent = Spent();
  const Result<answer::Answer> again = Ask(request);
  ASSERT_TRUE(again.ok()) << again.error().public_message;
  EXPECT_EQ(again->rows, first->rows);
  EXPECT_EQ(Spent(), spent);
}

TEST_F(WithinErrorTest, ErrorsOfColumnsThatAreNotThereAreRefused) {
  for (const char* error : {"m = 5 %", "age = 1"}) {
    EXPECT_FALSE(Ask(Within("SELECT count(*) AS n FROM people", error)).ok()) << error;
  }
  EXPECT_TRUE(ledger::ReadAccounts(LedgerPath())->empty() || Spent() == 0);
}

// What was paid for is stored, and every step of it counts again.
TEST_F(WithinErrorTest, AWishThatWasRefusedIsRefusedAgainForNothing) {
  const std::string texts[] = {"SELECT count(*) AS n FROM people",
                               "SELECT count(*) AS n FROM people WHERE age > 40"};
  policy_.privacy.budget.epsilon = policy_.analysts[0].budget.epsilon = Epsilon(Rational(100));
  int refused = 0;
  for (const std::string& text : texts) {
    for (const char* error : {"0.9 %", "0.5 %", "0.35 %"}) {
      const Result<answer::Answer> first = Ask(Within(text, error));
      if (first.ok() || first.error().rule != "price_above_limit") continue;
      ++refused;
      const Rational spent = Spent();
      for (int i = 0; i < 2; ++i) {
        const Result<answer::Answer> again = Ask(Within(text, error));
        ASSERT_FALSE(again.ok()) << text;
        EXPECT_EQ(again.error().public_message.find(" beside what was paid"), std::string::npos);
        EXPECT_EQ(Spent(), spent) << text << " within " << error;
      }
    }
  }
  EXPECT_GT(refused, 2);
}

// Steps that another price paid for are no steps of this wish, but the same ones every time.
TEST_F(WithinErrorTest, WhatWasPaidByItsPriceDoesNotMakeARefusedWishChargeAgain) {
  Request priced{.text = "SELECT count(*) AS n FROM people WHERE age > 3",
                 .analyst = "ana",
                 .request_id = "",
                 .wish = {}};
  priced.wish.epsilon = Epsilon(Rational(3, 25));
  ASSERT_TRUE(Ask(priced).ok());
  ASSERT_FALSE(Ask(Within(priced.text, "0.4 %")).ok());
  const Rational spent = Spent();
  ASSERT_FALSE(Ask(Within(priced.text, "0.4 %")).ok());
  EXPECT_EQ(Spent(), spent);
}

TEST_F(WithinErrorTest, AnAnswerWithoutANumberSaysThatNothingWasHeldAgainstTheError) {
  const Result<answer::Answer> empty =
      Ask(Within("SELECT count(*) AS n FROM people HAVING count(*) > 1000000", "5 %"));
  ASSERT_TRUE(empty.ok()) << empty.error().public_message;
  EXPECT_THAT(empty->notices.back(), HasSubstr("no number is shown"));
}

}  // namespace
}  // namespace tacit::gateway
