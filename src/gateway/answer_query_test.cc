#include "gateway/answer_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answer/format/format.h"
#include "answer/format/numbers.h"
#include "base/testing/tape_entropy.h"
#include "engine/duckdb/database/errors.h"
#include "engine/duckdb/engine.h"
#include "gateway/deployment/catalog_file.h"
#include "gateway/kept/parsed_texts.h"
#include "gateway/kept/replays.h"
#include "gateway/testing/asked_gateway.h"

namespace tacit::gateway {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AnswerQueryTest : public testing::AskedGateway {};

// ana's question with one whole number as its parameter, at a tenth.
Request Asking(const std::string& text, const std::string& value) {
  Request request{.text = text, .analyst = "ana", .request_id = "", .wish = {}};
  request.wish.epsilon = Epsilon(Rational(1, 10));
  request.parameters = {sql::MakeExpression(sql::Literal{sql::LiteralKind::kInteger, value, {}})};
  return request;
}

TEST_F(AnswerQueryTest, TheChargeIsOnStableStorageBeforeTheEngineRuns) {
  Rational spent_at_run;
  engine_->on_run = [&] { spent_at_run = Spent(); };
  ASSERT_TRUE(Ask("SELECT count(*) FROM people").ok());
  EXPECT_EQ(spent_at_run, Rational(2, 5));
}

TEST_F(AnswerQueryTest, AFailureAfterTheChargeIsNotRefundedAndSaysNothing) {
  engine_->fails_to_run = true;
  const Result<answer::Answer> answer = Ask("SELECT count(*) FROM people");
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().public_message + answer.error().hint, Not(HasSubstr("Ann")));
  EXPECT_EQ(Spent(), Rational(2, 5));
}

TEST_F(AnswerQueryTest, WhateverIsThrownAfterTheChargeHasTheTextOfAFailingEngine) {
  const std::string fixed = engine::duckdb::ExactQueryFailed("").public_message;
  const std::function<void()> throwing[] = {[] { throw std::bad_alloc(); },
                                            [] { throw std::runtime_error("Ann is 37"); },
                                            [] { throw 37; }};
  const char* const sql[] = {"SELECT count(*) FROM people", "SELECT sum(age) FROM people",
                             "SELECT avg(age) FROM people"};
  for (size_t i = 0; i < 2; ++i) {
    engine_->on_run = throwing[i];
    const Result<answer::Answer> answer = Ask(sql[i]);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().public_message, fixed);
    EXPECT_THAT(answer.error().hint + answer.error().private_detail, Not(HasSubstr("Ann")));
    EXPECT_EQ(Spent(), Rational(2, 5) * static_cast<int>(i + 1)) << "the charge stands";
  }
  engine_->on_run = throwing[2];
  policy_.privacy.query.epsilon = Epsilon{Rational(1, 5)};
  EXPECT_EQ(Ask(sql[2]).error().public_message, fixed);
}

TEST_F(AnswerQueryTest, TheEngineKnowsForWhomItWorks) {
  int number = 0;
  for (const std::string asker : {"ana", "bob", "", "ana"}) {
    Request request =
        Asking("SELECT count(*) FROM people WHERE age <> $1", std::to_string(++number));
    request.analyst = asker;
    std::string while_running = "nobody";
    engine_->on_run = [&] { while_running = engine_->works_for; };
    ASSERT_TRUE(Ask(request).ok());
    EXPECT_EQ(while_running, asker);
  }
}

TEST_F(AnswerQueryTest, AnEngineThatIsNotThereCostsNothing) {
  engine_->fails_to_prepare = true;
  ASSERT_FALSE(Ask("SELECT count(*) FROM people").ok());
  EXPECT_EQ(engine_->runs, 0);
  EXPECT_TRUE(ledger::ReadAccounts(LedgerPath())->empty() || Spent() == 0);
}

TEST_F(AnswerQueryTest, TheSameQuestionIsReplayedWithoutTheEngine) {
  const Result<answer::Answer> first = Ask("SELECT count(*) AS n FROM people WHERE age > 20");
  ASSERT_TRUE(first.ok()) << first.error().public_message;
  engine_->fails_to_run = engine_->fails_to_prepare = true;
  const Result<answer::Answer> again =
      Ask("select COUNT(*) as n from people where AGE > 20 order by n limit 5");
  ASSERT_TRUE(again.ok()) << again.error().public_message;
  EXPECT_EQ(again->rows, first->rows);
  EXPECT_TRUE(again->privacy.cached);
  EXPECT_EQ(engine_->runs, 1);
}

TEST_F(AnswerQueryTest, AKeptResultIsTheComputedOne) {
  kept_results_ = KeptResults((folder_ / "answers").string());
  const std::string sql = "SELECT count(*) * 2 AS twice, avg(age) FROM people";
  const Result<answer::Answer> first = Ask(sql);
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(std::filesystem::is_empty(folder_ / "answers"));
  EXPECT_EQ(Ask(sql)->rows, first->rows);
  kept_results_ = KeptResults("");
  EXPECT_EQ(Ask(sql)->rows, first->rows);
}

// What is kept is the answer in everything that leaves, as long as nobody writes to the ledger.
TEST_F(AnswerQueryTest, AnAnswerThatIsFinerThanAskedSaysSoToWhoeverPaidForIt) {
  Request request = Asking("SELECT count(*) FROM people WHERE age > $1", "20");
  request.wish.epsilon = Epsilon(Rational(1, 5));
  const answer::Answer fine = Ask(request).value();
  EXPECT_FALSE(fine.privacy.finer_than_asked);
  EXPECT_FALSE(Ask(request)->privacy.finer_than_asked) << "it is what was asked for";
  request.wish.epsilon = Epsilon(Rational(1, 10));
  const answer::Answer coarse = Ask(request).value();
  EXPECT_EQ(coarse.rows, fine.rows);
  EXPECT_TRUE(coarse.privacy.finer_than_asked);
  EXPECT_TRUE(coarse.privacy.cached);
  EXPECT_THAT(coarse.notices, ::testing::Contains(HasSubstr("finer than asked")));
  EXPECT_EQ(coarse.columns[0].error->moe95, fine.columns[0].error->moe95) << "its own error";
  // bob has not paid for it: what he gets is as noisy as he asked, and nothing tells of ana.
  request.analyst = "bob";
  const answer::Answer theirs = Ask(request).value();
  EXPECT_FALSE(theirs.privacy.finer_than_asked);
  EXPECT_THAT(theirs.notices, Not(::testing::Contains(HasSubstr("finer than asked"))));
}

// A Gaussian's scale is written down rounded: the price that it was bought at is found all the
// same, and with it the very interval.
TEST_F(AnswerQueryTest, AnIntervalAskedForLessIsTheOneThatWasPaidFor) {
  policy_.privacy.accounting = policy::Accounting::kZcdp;
  Request request = Asking("SELECT avg(age), count(*) FROM people WHERE age <> $1", "20");
  request.wish.intervals = true;
  // Short prices, each of a question of its own.
  for (const std::string digits : {"2", "150173", "1010101"}) {
    const std::string price = "0.0" + digits;
    request.parameters[0] =
        sql::MakeExpression(sql::Literal{sql::LiteralKind::kInteger, digits, {}});
    request.wish.epsilon = Epsilon(ParseRational(price).value());
    const Result<answer::Answer> fine = Ask(request);
    ASSERT_TRUE(fine.ok()) << fine.error().public_message << fine.error().hint;
    request.wish.epsilon = Epsilon(Rational(ParseRational(price).value() / 3));
    const Result<answer::Answer> coarse = Ask(request);
    ASSERT_TRUE(coarse.ok()) << coarse.error().public_message << coarse.error().hint;
    EXPECT_TRUE(coarse->privacy.finer_than_asked);
    EXPECT_EQ(coarse->rows, fine->rows);
  }
}

// Nobody is that old: the number is noise, and as often below zero as above.
TEST_F(AnswerQueryTest, WhatNoiseTookBelowZeroIsShownAsZeroWhereThatIsWished) {
  int below = 0;
  for (int age = 200; age < 230; ++age) {
    Request request = Asking("SELECT count(*) FROM people WHERE age > $1", std::to_string(age));
    request.wish.epsilon = Epsilon(Rational(1, 100));
    request.wish.intervals = true;
    const Result<answer::Answer> as_it_is = Ask(request);
    ASSERT_TRUE(as_it_is.ok()) << as_it_is.error().public_message;
    request.wish.nonnegative = true;
    for (int again = 0; again < 3; ++again) {  // stored, and kept in memory
      const answer::Answer raised = Ask(request).value();
      EXPECT_TRUE(raised.privacy.cost.IsZero());
      EXPECT_THAT(raised.notices, ::testing::Contains(HasSubstr("as you asked")));
      const int64_t n = std::get<int64_t>(as_it_is->rows[0][0]);
      EXPECT_EQ(std::get<int64_t>(raised.rows[0][0]), std::max<int64_t>(n, 0));
      for (const size_t end : {size_t{1}, size_t{2}}) {
        EXPECT_EQ(std::get<double>(raised.rows[0][end]),
                  std::max(std::get<double>(as_it_is->rows[0][end]), 0.0));
      }
      below += n < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(below, 0);
}

TEST_F(AnswerQueryTest, AKeptReplayIsTheReplayUntilTheLedgerChanges) {
  const Request request = {
      .text = "SELECT count(*) FROM people", .analyst = "ana", .request_id = "", .wish = {}};
  ASSERT_TRUE(Ask(request).ok());
  const answer::Answer looked_up = Ask(request).value();
  const ledger::Moment now = ledger_->Now().value();
  ASSERT_NE(replays_.Find(request, now), nullptr);
  const answer::Answer kept = Ask(request).value();
  EXPECT_EQ(kept.rows, looked_up.rows);
  EXPECT_EQ(kept.notices, looked_up.notices);
  EXPECT_EQ(kept.privacy.receipt, looked_up.privacy.receipt);
  EXPECT_TRUE(kept.privacy.cached);
  EXPECT_EQ(kept.privacy.remaining.epsilon, Rational(3, 5));

  ASSERT_TRUE(Ask("SELECT avg(age) FROM people", "ana").ok());
  EXPECT_EQ(replays_.Find(request, ledger_->Now().value()), nullptr);
  const answer::Answer after = Ask(request).value();
  EXPECT_EQ(after.rows, looked_up.rows);
  EXPECT_EQ(after.privacy.remaining.epsilon, Rational(1, 5));
}

TEST_F(AnswerQueryTest, AKeptReplayIsOneAnalystsOwn) {
  const Request of_ana = {
      .text = "SELECT count(*) FROM people", .analyst = "ana", .request_id = "", .wish = {}};
  const answer::Answer first = AskOften(of_ana);
  Request of_bob = of_ana;
  of_bob.analyst = "bob";
  EXPECT_EQ(replays_.Find(of_bob, ledger_->Now().value()), nullptr);
  const Result<answer::Answer> theirs = Ask(of_bob);
  ASSERT_TRUE(theirs.ok()) << theirs.error().public_message;
  EXPECT_FALSE(theirs->privacy.cached);
  EXPECT_EQ(theirs->privacy.cost.epsilon, Rational(2, 5));
  EXPECT_EQ(theirs->rows, first.rows);
}

TEST_F(AnswerQueryTest, AKeptReplayIsOfOneTextOneWishAndOneListOfParameters) {
  const auto with = [](const std::string& value) {
    return Asking("SELECT count(*) FROM people WHERE age > $1", value);
  };
  const answer::Answer young = AskOften(with("20"));
  const ledger::Moment now = ledger_->Now().value();
  EXPECT_EQ(replays_.Find(with("30"), now), nullptr);
  Request wider = with("20");
  wider.wish.intervals = true;
  EXPECT_EQ(replays_.Find(wider, now), nullptr);
  EXPECT_EQ(Ask(wider)->columns.size(), 3u);
  Request raised = with("20");
  raised.wish.nonnegative = true;
  EXPECT_EQ(replays_.Find(raised, now), nullptr);
  Request dearer = with("20");
  dearer.wish.epsilon = Epsilon(Rational(1, 5));
  EXPECT_EQ(replays_.Find(dearer, now), nullptr);
  Request other = with("20");
  other.text += " ";
  EXPECT_EQ(replays_.Find(other, now), nullptr);
  ASSERT_NE(replays_.Find(with("20"), now), nullptr);
  EXPECT_EQ(Ask(with("20"))->rows, young.rows);
}

TEST_F(AnswerQueryTest, AParsedTextIsOneAnalystsAndEachListOfValuesItsOwnQuestion) {
  const std::string above = "SELECT count(*) FROM people WHERE age > $1";
  const auto ask = [&](const std::string& text, const std::string& value) {
    return Ask(Asking(text, value));
  };
  EXPECT_EQ(texts_.Find("ana", above), nullptr);
  ASSERT_TRUE(ask(above, "20").ok());
  EXPECT_NE(texts_.Find("ana", above), nullptr);
  EXPECT_EQ(texts_.Find("bob", above), nullptr);
  EXPECT_FALSE(ask(above, "30")->privacy.cached);
  EXPECT_FALSE(ask("SELECT count(*) FROM people WHERE age < $1", "20")->privacy.cached);
  EXPECT_TRUE(ask(above, "20")->privacy.cached);
  EXPECT_EQ(engine_->runs, 3);
}

TEST_F(AnswerQueryTest, ARequestIdIsComparedByTheLedgerHoweverOftenItsQuestionWasAsked) {
  Request first = {.text = "SELECT count(*) FROM people WHERE age > 1",
                   .analyst = "ana",
                   .request_id = "id",
                   .wish = {}};
  ASSERT_TRUE(Ask(first).ok());
  Request second = {
      .text = "SELECT count(*) FROM people", .analyst = "ana", .request_id = "", .wish = {}};
  AskOften(second);
  second.request_id = "id";
  const Result<answer::Answer> refused = Ask(second);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
}

TEST_F(AnswerQueryTest, WhatPublicTablesSayIsReadAgain) {
  const Request request = {.text = "SELECT name, (SELECT count(*) FROM people) FROM places",
                           .analyst = "ana",
                           .request_id = "",
                           .wish = {}};
  AskOften(request);
  const int before = engine_->reads;
  ASSERT_TRUE(Ask(request).ok());
  EXPECT_EQ(engine_->reads, before + 1);
}

TEST_F(AnswerQueryTest, ABudgetThatIsSpentRefusesBeforeTheEngine) {
  ASSERT_TRUE(Ask("SELECT count(*) FROM people").ok());
  ASSERT_TRUE(Ask("SELECT count(*) FROM people WHERE age > 1").ok());
  const Result<answer::Answer> third = Ask("SELECT count(*) FROM people WHERE age > 2");
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.error().code, ErrorCode::kBudgetExhausted);
  EXPECT_EQ(engine_->runs, 2);
  EXPECT_EQ(Spent(), Rational(4, 5));
}

TEST_F(AnswerQueryTest, ExplainChargesNothingAndRunsNothing) {
  Services services = ServicesNow();
  const Result<answer::Explanation> told =
      ExplainQuery({.text = "EXPLAIN VERBOSE SELECT avg(age) FROM people",
                    .analyst = "",
                    .request_id = "",
                    .wish = {}},
                   services);
  ASSERT_TRUE(told.ok());
  EXPECT_EQ(told->plan.cost.epsilon, Rational(2, 5));
  EXPECT_EQ(told->privacy.remaining.epsilon, Rational(3, 5));
  // What is computed, in words and in the engine's; the unit's column, which is hidden, among it.
  EXPECT_THAT(answer::FormatText(*told),
              AllOf(HasSubstr("of people the first 1 row of each person"),
                    HasSubstr("pushed down: SELECT"), HasSubstr("tacit_row_hash")));
  const Result<answer::Answer> same = Ask("EXPLAIN SELECT avg(age) FROM people");
  ASSERT_TRUE(same.ok());
  EXPECT_THAT(engine::ToText(same->rows[0][0]), HasSubstr("price: epsilon 0.4"));
  for (const auto& row : same->rows) {
    EXPECT_THAT(engine::ToText(row[0]), Not(HasSubstr("SELECT"))) << "the SQL is for VERBOSE";
  }
  EXPECT_EQ(engine_->runs, 0);
  EXPECT_EQ(ledger_->ReadHead()->records, 1);
}

// DuckDB 1.5 does not manage this beside the numbers of draws.
TEST_F(AnswerQueryTest, AnAnswerWhoseMarginsFailComesWithoutThem) {
  const std::string old = "(SELECT name, count(*) AS n FROM people WHERE age > 9 GROUP BY name) a";
  const std::string all = "(SELECT name, count(*) AS n FROM people GROUP BY name) b";
  const std::string text = "SELECT a.name, (SELECT sum(b.n) FROM " + all +
                           " WHERE b.name <= a.name) AS up_to FROM " + old;
  const Result<answer::Answer> sums = Ask(text);
  ASSERT_TRUE(sums.ok()) << sums.error().public_message;
  EXPECT_EQ(sums->rows.size(), 1u);
  EXPECT_TRUE(Ask(text).ok());
}

TEST_F(AnswerQueryTest, IntervalsOfMeansAndPercentilesStayWithinTheBounds) {
  Request request{.text =
                      "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age) AS p, avg(age) "
                      "AS a FROM people WHERE age > 80",
                  .analyst = "",
                  .request_id = "",
                  .wish = {}};
  request.wish.intervals = true;
  request.wish.epsilon = Epsilon(Rational(1, 100));
  const Result<answer::Answer> answer = Ask(request);
  ASSERT_TRUE(answer.ok()) << answer.error().public_message;
  ASSERT_EQ(answer->columns.size(), 6u);
  const std::vector<engine::Value> row = *answer->rows.begin();
  for (const size_t i : {0u, 3u}) {
    const double value = std::get<double>(row[i]);
    EXPECT_LE(0, std::get<double>(row[i + 1])) << answer->columns[i].name;
    EXPECT_LE(std::get<double>(row[i + 1]), value);
    EXPECT_LE(value, std::get<double>(row[i + 2]));
    EXPECT_LE(std::get<double>(row[i + 2]), 120) << answer->columns[i].name;
  }
  EXPECT_EQ(std::get<double>(row[2]), 120) << "at this price it would reach further";
}

// A whole number is a cell of its own; a grid of 20 million points is cut into cells of ten.
TEST_F(AnswerQueryTest, AnExplanationSaysHowWideTheCellsOfAPercentileAre) {
  Services services = ServicesNow();
  const auto condition = [&](const std::string& of) {
    const Result<answer::Explanation> explanation = ExplainQuery(
        {.text = "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY " + of + ") FROM people",
         .analyst = "",
         .request_id = "",
         .wish = {}},
        services);
    return explanation.ok() ? explanation->plan.columns[0].error->condition
                            : explanation.error().public_message;
  };
  EXPECT_EQ(condition("age"), "in rank, not in value");
  EXPECT_EQ(condition("least(age * 200000, 20000000)"),
            "in rank, not in value, of values in cells of 10");
}

TEST_F(AnswerQueryTest, ResultsAreJoinedInFull) {
  const std::string young = "(SELECT 1 AS k, count(*) AS n FROM people WHERE age < 30) a";
  const std::string all = "(SELECT 2 AS k, count(*) AS n FROM people) b";
  const Result<answer::Answer> joined =
      Ask("SELECT coalesce(a.n, 0)::float / coalesce(b.n, 1) AS share FROM " + young +
          " FULL JOIN " + all + " ON a.k = b.k");
  ASSERT_TRUE(joined.ok()) << joined.error().public_message;
  EXPECT_EQ(joined->rows.size(), 2u);
}

TEST_F(AnswerQueryTest, AProbeWithoutColumnsHasAnEmptyShape) {
  const Result<answer::Answer> shape = Ask("SELECT FROM people WHERE 1 = 0");
  ASSERT_TRUE(shape.ok()) << shape.error().public_message;
  EXPECT_TRUE(shape->columns.empty());
  EXPECT_TRUE(shape->rows.empty());
  EXPECT_FALSE(Ask("SELECT FROM people").ok()) << "how many rows there are would be an answer";
  EXPECT_FALSE(Ask("SELECT FROM strangers WHERE 1 = 0").ok());
}

TEST_F(AnswerQueryTest, ARefusedQueryTouchesNothing) {
  for (const char* sql : {"SELECT age FROM people", "SELECT count(*) FROM people WHERE id = 1",
                          "SELECT", "SELECT count(*) FROM strangers"}) {
    EXPECT_FALSE(Ask(sql).ok()) << sql;
  }
  EXPECT_EQ(engine_->runs, 0);
  EXPECT_EQ(ledger_->ReadHead()->records, 1);
}

TEST_F(AnswerQueryTest, TheCatalogFileIsReadAgainWhenTheDatabaseChanges) {
  const std::string path = (folder_ / "data.duckdb").string();
  EXPECT_EQ(*SchemaOf(path, *engine_), schema_);
  EXPECT_TRUE(std::filesystem::exists(path + "-catalog"));
  EXPECT_EQ(*SchemaOf(path, *engine_), schema_);
  std::filesystem::resize_file(path + "-catalog", 20);
  EXPECT_EQ(*SchemaOf(path, *engine_), schema_);
}

}  // namespace
}  // namespace tacit::gateway
