#include "gateway/derive/topped_up.h"

#include <gmock/gmock.h>

#include <cmath>

#include "gateway/testing/asked_gateway.h"

namespace tacit::gateway {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr char kToppedUpPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: groups.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: zcdp
  budget: {epsilon: 3, delta: 1e-6}
  query: {epsilon: 0.1, epsilon_max: 1, delta: 1e-9}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns:
      id: {hidden: true}
      g: {keys: {from: 0, to: 499, step: 1}}
      sex: {keys: [F, M]}
      age: {bounds: [0, 120]}
  sizes: {public: true}
analysts:
)";

constexpr char kByGroup[] = "SELECT g, count(*) AS n FROM people GROUP BY g ORDER BY g";
constexpr char kCounted[] = "SELECT count(*) AS n FROM people";
constexpr char kBySex[] = "SELECT sex, count(*) AS n, avg(age) AS a FROM people GROUP BY sex";

// A thousand people, two in each of five hundred groups.
class ToppedUpTest : public testing::AskedGateway {
 protected:
  ToppedUpTest() {
    const std::string path = (folder_ / "groups.duckdb").string();
    {
      using namespace engine::duckdb;
      const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
      Connection connection = database->Connect().value();
      EXPECT_FALSE(connection.Execute(
          "CREATE TABLE people AS SELECT i::INTEGER AS id, (i % 500)::INTEGER AS g, "
          "CASE i % 2 WHEN 0 THEN 'F' ELSE 'M' END AS sex, (i % 90)::INTEGER AS age "
          "FROM range(1000) t(i)"));
      EXPECT_FALSE(connection.Execute("CREATE TABLE sizes AS SELECT 'small' AS name"));
    }
    std::string text = kToppedUpPolicy;
    for (const char* name : {"ana", "bob"}) {
      text += std::string("  ") + name + ": {password: \"" + testing::kVerifier +
              "\", budget: {epsilon: 3, delta: 1e-6}}\n";
    }
    policy_ = policy::Parse(text, (folder_ / "tacit.yaml").string()).value();
    engine_ = std::make_unique<testing::FaultyEngine>(
        std::make_unique<engine::duckdb::DuckdbEngine>(path, engine::duckdb::Limits{.threads = 1}));
    schema_ = engine_->ReadSchema().value();
  }

  static Request At(const Rational& epsilon, const std::string& text = kCounted,
                    const std::string& analyst = "ana") {
    Request request{.text = text, .analyst = analyst, .request_id = "", .wish = {}};
    request.wish.epsilon = Epsilon(epsilon);
    return request;
  }
  answer::Answer Answered(const Request& request) {
    Result<answer::Answer> answer = Ask(request);
    EXPECT_TRUE(answer.ok()) << answer.error().public_message << answer.error().hint;
    return std::move(answer).value();
  }
  Rational SpentRho() const { return ledger::ReadAccounts(LedgerPath())->at(0).spent.rho; }
};

const Rational kAtATenth(1, 10), kAtAFifth(1, 5), kAtTwoFifths(2, 5);
Rational RhoAt(const Rational& epsilon) { return Rational(epsilon * epsilon / 2); }
Rational WithRounding(const Rational& rho) { return Rational(rho * Rational(103, 100)); }

TEST_F(ToppedUpTest, AHigherPriceCostsWhatIsMissing) {
  const Rational before = Answered(At(kAtATenth)).privacy.cost.rho;
  EXPECT_EQ(before, RhoAt(kAtATenth));
  const answer::Answer finer = Answered(At(kAtAFifth));
  EXPECT_THAT(finer.notices, Contains(kToppedUpNotice));
  EXPECT_EQ(finer.columns[0].error->moe95, 10);
  EXPECT_FALSE(finer.privacy.cached);
  EXPECT_FALSE(finer.privacy.finer_than_asked);
  const Rational both = Rational(before + finer.privacy.cost.rho);
  EXPECT_GE(both, RhoAt(kAtAFifth));
  EXPECT_LE(both, WithRounding(RhoAt(kAtAFifth)));
  EXPECT_EQ(SpentRho(), both) << "the dataset pays what the analyst pays";
}

TEST_F(ToppedUpTest, TheFinerAnswerIsStoredAsAnyOther) {
  Answered(At(kAtATenth));
  const answer::Answer finer = Answered(At(kAtAFifth));
  const Rational spent = SpentRho();
  const int runs = engine_->runs;
  for (const Rational& price : {kAtAFifth, kAtATenth, Rational(3, 20)}) {
    const answer::Answer again = Answered(At(price));
    EXPECT_EQ(again.rows, finer.rows);
    EXPECT_TRUE(again.privacy.cost.IsZero());
    EXPECT_TRUE(again.privacy.cached);
  }
  EXPECT_EQ(SpentRho(), spent);
  EXPECT_EQ(engine_->runs, runs);
}

TEST_F(ToppedUpTest, AnAnswerIsToppedUpAgainAndAgain) {
  const std::string text = kBySex;
  Rational paid = 0;
  for (const Rational& price : {Rational(1, 20), kAtATenth, kAtAFifth, kAtTwoFifths}) {
    const answer::Answer answer = Answered(At(price, text));
    paid += answer.privacy.cost.rho;
    EXPECT_GE(paid, RhoAt(price));
    EXPECT_LE(paid, Rational(RhoAt(price) * Rational(105, 100)));
  }
  EXPECT_EQ(SpentRho(), paid);
}

// Five hundred counts with noise of their own: the mean square of their errors is within a quarter
// of the claimed one, four deviations. The draw by itself, or both by halves, would be a third off.
TEST_F(ToppedUpTest, ItsErrorIsThatOfANewAnswer) {
  const answer::Answer coarse = Answered(At(kAtATenth, kByGroup));
  const answer::Answer finer = Answered(At(kAtAFifth, kByGroup));
  ASSERT_EQ(finer.rows.size(), 500u);
  double sum = 0, square = 0, with_coarse = 0;
  for (size_t i = 0; i < 500; ++i) {
    const double error = static_cast<double>(std::get<int64_t>(finer.rows[i][1])) - 2;
    sum += error / 500;
    square += error * error / 500;
    with_coarse += error * (static_cast<double>(std::get<int64_t>(coarse.rows[i][1])) - 2) / 500;
  }
  EXPECT_NEAR(square / 25, 1, 0.25);
  EXPECT_NEAR(sum, 0, 0.9);
  EXPECT_NEAR(with_coarse, 25, 10) << "a quarter of the answer is the one that was paid for";
}

TEST_F(ToppedUpTest, WhatAnotherHasPaidForServesNobodyElse) {
  Answered(At(kAtATenth, kCounted, "bob"));
  const answer::Answer full = Answered(At(kAtAFifth, kCounted, "ana"));
  EXPECT_EQ(full.privacy.cost.rho, RhoAt(kAtAFifth));
}

TEST_F(ToppedUpTest, WhoToppedTheSameAnswerUpIsGivenTheSame) {
  Answered(At(kAtATenth, kCounted, "ana"));
  Answered(At(kAtATenth, kCounted, "bob"));
  const answer::Answer first = Answered(At(kAtAFifth, kCounted, "ana"));
  const Rational spent = SpentRho();
  const answer::Answer second = Answered(At(kAtAFifth, kCounted, "bob"));
  EXPECT_EQ(second.privacy.cost, first.privacy.cost);
  EXPECT_EQ(second.rows, first.rows);
  EXPECT_EQ(second.notices, first.notices);
  EXPECT_EQ(SpentRho(), spent) << "nothing new was drawn";
}

// Beside an average a count has several times the variance that the same price buys it alone.
TEST_F(ToppedUpTest, APartOfAnotherAnswerIsToppedUpToo) {
  const answer::Answer table = Answered(At(kAtATenth, kBySex));
  const answer::Answer counts =
      Answered(At(kAtATenth, "SELECT sex, count(*) AS n FROM people GROUP BY sex"));
  EXPECT_THAT(counts.notices, Contains(kToppedUpNotice));
  EXPECT_LT(counts.privacy.cost.rho, Rational(RhoAt(kAtATenth) * Rational(7, 10)));
  EXPECT_EQ(counts.columns[1].error->moe95, 20);
  const answer::Answer women =
      Answered(At(kAtAFifth, "SELECT count(*) AS n FROM people WHERE sex = 'F'"));
  EXPECT_THAT(women.notices, Contains(kToppedUpNotice));
  EXPECT_LT(women.privacy.cost.rho, RhoAt(kAtAFifth));
  EXPECT_TRUE(Answered(At(kAtAFifth, "SELECT count(*) AS n FROM people WHERE sex = 'F'"))
                  .privacy.cost.IsZero());
}

TEST_F(ToppedUpTest, UnderAnIdAnAnswerIsPaidInFullAndRepeated) {
  Answered(At(kAtATenth));
  Request request = At(kAtAFifth);
  request.request_id = "one";
  const answer::Answer first = Answered(request);
  EXPECT_EQ(first.privacy.cost.rho, RhoAt(kAtAFifth));
  EXPECT_EQ(Answered(request).rows, first.rows);
}

// The budget is rho 0.1757. After 0.08 and 0.045 the 0.11 of a new answer is too much, and the
// 0.037 that are missing are not.
TEST_F(ToppedUpTest, WhatIsMissingMayFitWhereAllOfItDoesNot) {
  Answered(At(kAtTwoFifths));
  Answered(At(Rational(3, 10), "SELECT count(*) AS n FROM people WHERE age > 3"));
  const Rational high(47, 100);
  const auto other = Ask(At(high, "SELECT count(*) AS n FROM people WHERE age > 30"));
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, ErrorCode::kBudgetExhausted);
  EXPECT_THAT(Answered(At(high)).notices, Contains(kToppedUpNotice));
}

TEST_F(ToppedUpTest, ExplainSaysWhatIsMissingAndChargesNothing) {
  Answered(At(kAtATenth));
  const Rational spent = SpentRho();
  Request explain = At(kAtAFifth);
  explain.text = std::string("EXPLAIN ") + kCounted;
  std::string text;
  const answer::Answer explained = Answered(explain);
  for (const auto& row : explained.rows) text += std::get<std::string>(row[0]) + "\n";
  EXPECT_THAT(text, HasSubstr("if you ask: cost 0.17"));
  EXPECT_THAT(text, HasSubstr("only what is missing is charged"));
  EXPECT_EQ(SpentRho(), spent);
}

TEST_F(ToppedUpTest, WhatFailsAfterTheChargeIsPaidAndMayBeAskedAgain) {
  Answered(At(kAtATenth));
  engine_->fails_to_run = true;
  EXPECT_FALSE(Ask(At(kAtAFifth)).ok());
  const Rational spent = SpentRho();
  EXPECT_GT(spent, RhoAt(kAtATenth)) << "the charge stands";
  engine_->fails_to_run = false;
  EXPECT_GT(Answered(At(kAtAFifth)).privacy.cost.rho, 0);
  EXPECT_GT(SpentRho(), spent);
}

// The whole ledger, as an auditor reads it.
TEST_F(ToppedUpTest, TheLedgerIsSound) {
  Answered(At(kAtATenth));
  Answered(At(kAtAFifth));
  Answered(At(kAtTwoFifths, kCounted, "bob"));
  const Rational spent = SpentRho();
  ledger_.reset();
  EXPECT_EQ(ledger::Verify(LedgerPath()).value().fault, "");
  ledger_ = std::make_unique<ledger::Ledger>(ledger::Ledger::Open(LedgerPath()).value());
  EXPECT_EQ(SpentRho(), spent);
  EXPECT_TRUE(Answered(At(kAtAFifth)).privacy.cost.IsZero());
}

}  // namespace
}  // namespace tacit::gateway
