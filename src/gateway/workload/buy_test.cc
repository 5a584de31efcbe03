#include "gateway/workload/buy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "answer/release_table.h"
#include "answer/table_bytes.h"
#include "gateway/testing/asked_gateway.h"
#include "gateway/workload/bought.h"
#include "gateway/workload/read_workload.h"
#include "noise/release.h"

namespace tacit::gateway::workload {
namespace {

using ::testing::HasSubstr;

constexpr char kWorkloadPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: ACCOUNTING
  budget: {epsilon: 2, delta: 1e-6}
  query: {epsilon: 0.2, epsilon_max: 1, delta: 1e-9}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns: {id: {hidden: true}, age: {bounds: [0, 120]}, name: {keys: [Ann, Bob]}}
analysts:
)";

constexpr char kQuestions[] =
    "SET tacit.error = '30'; SELECT count(*) AS n FROM people;"
    "SELECT name, count(*) AS n FROM people GROUP BY name;"
    "SELECT count(*) AS n FROM people WHERE name = 'Ann' AND age < 30;"
    "SELECT name, count(*) AS n FROM people WHERE age < 30 GROUP BY name;"
    "SELECT count(*) AS n FROM people;"
    "SET tacit.error = '2'; SELECT name, avg(age) AS a FROM people GROUP BY name";

class WorkloadTest : public testing::AskedGateway {
 protected:
  WorkloadTest() { SetAccounting("zcdp"); }

  void SetAccounting(const std::string& accounting) {
    std::string text = kWorkloadPolicy;
    text.replace(text.find("ACCOUNTING"), 10, accounting);
    for (const char* name : {"ana", "bob"}) {
      text += std::string("  ") + name + ": {password: \"" + testing::kVerifier +
              "\", budget: {epsilon: 1.5, delta: 1e-7}}\n";
    }
    policy_ = policy::Parse(text, (folder_ / "tacit.yaml").string()).value();
  }

  Result<Bought> Buy(const std::string& text, const std::string& analyst = "",
                     const std::optional<Epsilon>& total = {}) {
    Services services = ServicesNow();
    TACIT_TRY(const std::vector<Request> questions, ReadWorkload(text, Asker(analyst)));
    return BuyWorkload(questions, total, services);
  }
  static Request Asker(const std::string& analyst) {
    return {.text = "", .analyst = analyst, .request_id = "", .wish = {}};
  }
  void OnePersonMovesNoMoreThanIsCharged(const std::string& questions);
  Rational SpentRho() const { return ledger::ReadAccounts(LedgerPath())->at(0).spent.rho; }
};

TEST_F(WorkloadTest, EveryQuestionIsFreeAfterwardsAndTotalsAreTheSumsOfTheirParts) {
  const Result<Bought> bought = Buy(kQuestions, "ana");
  ASSERT_TRUE(bought.ok()) << bought.error().public_message;
  EXPECT_EQ(bought->questions.size(), 6u);
  EXPECT_EQ(bought->own, 0u);
  const Rational spent = SpentRho();
  EXPECT_GT(spent, 0);
  for (const ServedQuestion& question : bought->questions) {
    const Result<answer::Answer> answer = Ask(question.text, "ana");
    ASSERT_TRUE(answer.ok()) << answer.error().public_message;
    EXPECT_TRUE(answer->privacy.cost.IsZero()) << question.text;
    EXPECT_TRUE(answer->privacy.cached) << question.text;
  }
  EXPECT_EQ(SpentRho(), spent);
  // Nobody is called otherwise, so that Ann's young are nearly all of the young.
  const auto cell = [&](const std::string& sql) {
    return std::get<int64_t>(Ask(sql, "ana").value().rows[0].back());
  };
  EXPECT_EQ(cell("SELECT count(*) AS n FROM people WHERE name = 'Ann' AND age < 30"),
            cell("SELECT name, count(*) AS n FROM people WHERE age < 30 GROUP BY name ORDER BY 1"));
  EXPECT_NEAR(static_cast<double>(cell("SELECT count(*) AS n FROM people")), 1000, 120);
}

TEST_F(WorkloadTest, BoughtTwiceItIsFree) {
  ASSERT_TRUE(Buy(kQuestions, "ana").ok());
  const Rational spent = SpentRho();
  const int runs = engine_->runs;
  const Result<Bought> again = Buy(kQuestions, "ana");
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->privacy.cost.IsZero());
  EXPECT_EQ(SpentRho(), spent);
  EXPECT_EQ(engine_->runs, runs);
}

TEST_F(WorkloadTest, ItCostsLessThanItsQuestionsOneByOne) {
  const Result<Bought> bought = Buy(kQuestions);
  ASSERT_TRUE(bought.ok());
  std::map<std::string, Rational> prices;  // the same question again is free
  for (const ServedQuestion& question : bought->questions) {
    prices[question.text] = RhoOfPure(Epsilon(question.epsilon)).value;
  }
  Rational apart = 0;
  for (const auto& [text, price] : prices) apart += price;
  EXPECT_LT(bought->cost.rho, apart);
}

TEST_F(WorkloadTest, WhatTheBudgetDoesNotCoverIsRefusedWhole) {
  std::string dear = "SET tacit.epsilon = 1;";
  for (const char* sql : {"SELECT count(*) FROM people", "SELECT max(age) FROM people",
                          "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age) FROM people"}) {
    dear += std::string(sql) + ";";
  }
  const Result<Bought> bought = Buy(dear, "ana");
  ASSERT_FALSE(bought.ok());
  EXPECT_EQ(bought.error().code, ErrorCode::kBudgetExhausted) << bought.error().public_message;
  EXPECT_EQ(engine_->runs, 0);
}

TEST_F(WorkloadTest, AnotherAnalystPaysAsMuchAndHasTheSameAnswers) {
  const Result<Bought> ana = Buy(kQuestions, "ana");
  const Rational spent = SpentRho();
  const Result<Bought> bob = Buy(kQuestions, "bob");
  ASSERT_TRUE(ana.ok() && bob.ok());
  EXPECT_EQ(ana->privacy.cost.rho, bob->privacy.cost.rho);
  EXPECT_EQ(SpentRho(), spent) << "the dataset pays once";
  const std::string sql = "SELECT name, count(*) AS n FROM people GROUP BY name";
  EXPECT_EQ(Ask(sql, "ana")->rows[0], Ask(sql, "bob")->rows[0]);
}

// What ana bought changes nothing for bob: neither that nor at which price.
TEST_F(WorkloadTest, WhatOneBoughtIsNobodyElses) {
  const std::string sql = "SELECT name, count(*) AS n FROM people GROUP BY name";
  ASSERT_TRUE(Buy(kQuestions, "ana").ok());
  const Result<answer::Answer> bob = Ask(sql, "bob");
  ASSERT_TRUE(bob.ok());
  EXPECT_EQ(bob->privacy.cost.rho, RhoOfPure(Epsilon(Rational(1, 5))).value);
}

TEST_F(WorkloadTest, APriceIsThatOfAllOfIt) {
  const Result<Bought> bought =
      Buy("SELECT count(*) FROM people; SELECT sum(age) FROM people;"
          "SELECT max(age) FROM people",
          "", Epsilon(Rational(2, 5)));
  ASSERT_TRUE(bought.ok()) << bought.error().public_message;
  EXPECT_LE(SpentRho(), Rational(2, 25));
  EXPECT_GT(SpentRho(), Rational(2, 25) * Rational(98, 100));
  EXPECT_EQ(bought->own, 1u);
}

TEST_F(WorkloadTest, UnderPureAccountingATableThatSeveralNeedIsReleasedOnce) {
  SetAccounting("pure");
  const Result<Bought> bought =
      Buy("SELECT name, count(*) FROM people GROUP BY name;"
          "SELECT name, count(*) FROM people GROUP BY name ORDER BY 2");
  ASSERT_TRUE(bought.ok()) << bought.error().public_message;
  EXPECT_EQ(bought->own, 1u);
  EXPECT_EQ(bought->measured, 0u);
  EXPECT_TRUE(Ask("SELECT name, count(*) FROM people GROUP BY name ORDER BY 1")->privacy.cached);
}

// One group, or the sum of all, of a table that is drawn is not drawn again; nobody is listed as
// Zoe, so that nothing tells how many there are.
TEST_F(WorkloadTest, UnderPureAccountingWhatAnotherTableTellsIsNotDrawn) {
  SetAccounting("pure");
  const std::string by_name = "SELECT name, count(*) AS n, avg(age) AS a FROM people GROUP BY name";
  const std::string ann = "SELECT count(*) AS n FROM people WHERE name = 'Ann'";
  const std::string zoe = "SELECT count(*) AS n FROM people WHERE name = 'Zoe'";
  const std::string wishes = "SET tacit.error = 'n = 10, a = 2';";
  const Result<Bought> table = Buy(wishes + by_name, "ana");
  ASSERT_TRUE(table.ok()) << table.error().public_message;
  const Result<Bought> alone = Buy("SET tacit.error = '30';" + zoe, "ana");
  ASSERT_TRUE(alone.ok()) << alone.error().public_message;
  const Result<Bought> bought =
      Buy(wishes + by_name + "; SET tacit.error = '30';" + ann + ";" + zoe, "bob");
  ASSERT_TRUE(bought.ok()) << bought.error().public_message;
  EXPECT_EQ(bought->own, 2u);
  EXPECT_EQ(bought->derived, 1u);
  EXPECT_EQ(bought->cost.epsilon, Rational(table->cost.epsilon + alone->cost.epsilon));
  const auto first = [&](const std::string& sql) {
    const answer::Answer answer = Ask(sql, "bob").value();
    EXPECT_TRUE(answer.privacy.cost.IsZero()) << sql;
    EXPECT_TRUE(answer.privacy.cached) << sql;
    return answer.rows[0];
  };
  EXPECT_EQ(std::get<int64_t>(first(ann)[0]), std::get<int64_t>(first(by_name + " ORDER BY 1")[1]));
  first(zoe);
  EXPECT_EQ(ledger::Verify(LedgerPath()).value().fault, "");
}

TEST_F(WorkloadTest, SelectFromTacitBuyIsTheSame) {
  const std::string sql =
      "SELECT * FROM tacit.buy('SET tacit.error = ''30''; SELECT count(*) AS n FROM people')";
  const Result<answer::Answer> free = Ask("EXPLAIN " + sql, "ana");
  ASSERT_TRUE(free.ok()) << free.error().public_message;
  EXPECT_EQ(engine_->runs, 0);
  const Result<answer::Answer> answer = Ask(sql, "ana");
  ASSERT_TRUE(answer.ok()) << answer.error().public_message;
  EXPECT_EQ(answer->columns[3].name, "sql");
  EXPECT_EQ(answer->privacy.cost.rho, free->privacy.cost.rho);
  EXPECT_TRUE(Ask("SELECT count(*) AS n FROM people", "ana")->privacy.cached);
}

TEST_F(WorkloadTest, WhatHasNoPlaceInItIsRefused) {
  for (const char* text :
       {"", "BEGIN; SELECT count(*) FROM people", "SET search_path = a",
        "SELECT * FROM tacit.buy('SELECT 1')", "EXPLAIN SELECT count(*) FROM people"}) {
    EXPECT_FALSE(Buy(text).ok()) << text;
  }
  const Result<Bought> relative = Buy("SET tacit.error = '5 %'; SELECT count(*) FROM people");
  ASSERT_FALSE(relative.ok());
  EXPECT_THAT(relative.error().public_message, HasSubstr("part of what it shows"));
}

// One person more, with the same random tape: what is drawn moves by no more than the sensitivity
// that it is charged for, in all measured tables together with their precisions.
void WorkloadTest::OnePersonMovesNoMoreThanIsCharged(const std::string& questions) {
  Services services = ServicesNow();
  const WorkloadPlan plan =
      PlanWorkload(ReadWorkload(questions, Asker("")).value(), {}, services).value();
  const std::string path = (folder_ / "more.duckdb").string();
  {
    using namespace engine::duckdb;
    const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
    Connection connection = std::move(database->Connect()).value();
    ASSERT_FALSE(connection.Execute(
        "CREATE TABLE people AS SELECT i::INTEGER AS id, (i % 90)::INTEGER AS age, 'Ann' AS name "
        "FROM range(1000) t(i) UNION ALL SELECT 5000, 120, 'Bob'"));
  }
  engine::duckdb::DuckdbEngine more(path, engine::duckdb::Limits{.threads = 1});
  ASSERT_GT(plan.measured, 2u);
  const auto columns = engine_->Prepare(plan.to_draw).value();
  ASSERT_TRUE(more.Prepare(plan.to_draw).ok());
  Rational charged = 0;
  double moved_in_all = 0;
  for (size_t i = 0; i < plan.measured; ++i) {
    const plan::Release& release = plan.to_draw.releases[i];
    const auto drawn = [&](engine::Engine& engine) {
      tacit::testing::SeededEntropy tape(11);
      const std::vector<engine::Value> keys(release.parameters.size(), engine::Value(key_));
      auto exact = engine.Run(release, keys).value();
      return answer::ReadTable(
                 noise::Release(answer::TableNoise(release, columns[i]), std::move(exact), tape)
                     .value())
          .value();
    };
    const engine::ResultTable without = drawn(*engine_);
    const engine::ResultTable with = drawn(more);
    ASSERT_EQ(without.rows.size(), with.rows.size());
    double squares = 0;
    for (size_t r = 0; r < without.rows.size(); ++r) {
      const auto number = [](const engine::Value& value) {
        return static_cast<double>(std::get<engine::Numeric>(value).unscaled);
      };
      const double moved = number(with.rows[r].back()) - number(without.rows[r].back());
      squares += moved * moved;
    }
    const plan::Measure& measure = release.measures[0];
    const double sensitivity = Rational(measure.sensitivity_l1 / measure.step).get_d();
    EXPECT_LE(squares, sensitivity * sensitivity);
    EXPECT_GT(squares, 0);
    const double scale = Rational(measure.scale / measure.step).get_d();
    moved_in_all += squares / (2 * scale * scale);
    charged += release.cost.rho;
  }
  EXPECT_LE(moved_in_all, charged.get_d() * (1 + 1e-9));
}

TEST_F(WorkloadTest, OnePersonMovesWhatIsMeasuredByNoMoreThanIsCharged) {
  OnePersonMovesNoMoreThanIsCharged(kQuestions);
}

// How many are younger, for every fifth year: fifteen ranges that share their parts.
std::string UpToEachAge() {
  std::string questions = "SET tacit.error = '30';";
  for (int age = 5; age <= 75; age += 5) {
    questions += "SELECT count(*) AS n FROM people WHERE age < " + std::to_string(age) + ";";
  }
  return questions;
}

TEST_F(WorkloadTest, OnePersonMovesRangesByNoMoreThanIsCharged) {
  OnePersonMovesNoMoreThanIsCharged(UpToEachAge());
}

TEST_F(WorkloadTest, RangesOverOneColumnShareWhatIsMeasured) {
  const Result<Bought> bought = Buy(UpToEachAge(), "ana");
  ASSERT_TRUE(bought.ok()) << bought.error().public_message;
  EXPECT_EQ(bought->own, 0u);
  Rational apart = 0;
  for (const ServedQuestion& question : bought->questions) {
    apart += RhoOfPure(Epsilon(question.epsilon)).value;
  }
  EXPECT_LT(bought->cost.rho, Rational(apart * Rational(2, 5)));
  int age = 0;
  double squares = 0;
  double smallest = 30;
  for (const ServedQuestion& question : bought->questions) {
    age += 5;
    int64_t truth = 0;
    for (int64_t i = 0; i < 1000; ++i) truth += i % 90 < age;
    const Result<answer::Answer> answer = Ask(question.text, "ana");
    ASSERT_TRUE(answer.ok() && answer->privacy.cached) << question.text;
    const auto off = static_cast<double>(std::get<int64_t>(answer->rows[0][0]) - truth);
    squares += off * off;
    EXPECT_LT(std::abs(off), 120) << question.text;
    smallest = std::min(smallest, answer->columns[0].error->moe95.get_d());
  }
  EXPECT_LT(smallest, 25) << "what is said of an estimate's error is its own";
  EXPECT_GT(squares, 0) << "and they are noisy";
}

// Two ranges of one question are off together; nobody counts on it.
TEST_F(WorkloadTest, RangesOfOneQuestionAreMeasuredByThemselves) {
  const Result<Bought> bought =
      Buy("SET tacit.error = '30'; SELECT (SELECT count(*) FROM people WHERE age < 30) - "
          "(SELECT count(*) FROM people WHERE age < 50) AS n");
  ASSERT_TRUE(bought.ok()) << bought.error().public_message;
  EXPECT_EQ(bought->measured, 2u);
}

TEST_F(WorkloadTest, PartsOfWhatWasBoughtAreFreeToo) {
  ASSERT_TRUE(Buy(kQuestions, "ana").ok());
  for (const char* sql :
       {"SELECT count(*) AS n FROM people WHERE name = 'Bob'",
        "SELECT count(*) AS n FROM people WHERE name = 'Bob' AND age < 30",
        "SELECT count(*) AS n FROM people WHERE name IN ('Ann', 'Bob') AND age < 30"}) {
    Request request{.text = sql, .analyst = "ana", .request_id = "", .wish = {}};
    request.wish.epsilon = Epsilon(Rational(1, 40));  // within 80; 30 was bought
    const Result<answer::Answer> answer = Ask(request);
    ASSERT_TRUE(answer.ok()) << answer.error().public_message;
    EXPECT_TRUE(answer->privacy.cost.IsZero()) << sql;
    EXPECT_LT(answer->columns[0].error->moe95, 45) << "its own error: " << sql;
    request.analyst = "bob";
    const Result<answer::Answer> bob = Ask(request);
    ASSERT_TRUE(bob.ok()) << bob.error().public_message;
    EXPECT_FALSE(bob->privacy.cost.IsZero()) << "nobody else's";
  }
}

}  // namespace
}  // namespace tacit::gateway::workload
