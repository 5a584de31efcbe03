#include "gateway/derive/derived.h"

#include <gmock/gmock.h>

#include "base/mutant.h"
#include "gateway/testing/asked_gateway.h"

namespace tacit::gateway {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// People with a listed sex and a listed city; a tenth of them live in a city that is not listed.
class DerivedTest : public testing::AskedGateway {
 protected:
  DerivedTest() {
    const std::string path = (folder_ / "more.duckdb").string();
    {
      using namespace engine::duckdb;
      const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
      Connection connection = database->Connect().value();
      EXPECT_FALSE(connection.Execute(
          "CREATE TABLE people AS SELECT i::INTEGER AS id, (i % 90)::INTEGER AS age, "
          "CASE i % 2 WHEN 0 THEN 'F' ELSE 'M' END AS sex, "
          "CASE WHEN i % 10 = 0 THEN 'Bath' WHEN i % 3 = 0 THEN 'York' ELSE 'Hull' END AS city "
          "FROM range(1000) t(i)"));
    }
    std::string text = R"(tacit: 1
engine: {kind: duckdb, path: more.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: add_remove
  accounting: pure
  budget: {epsilon: 20, delta: 1e-6}
  query: {epsilon: 1, epsilon_max: 4, delta: 1e-9}
tables:
  people:
    unit: id
    rows_per_unit: 1
    columns:
      id: {hidden: true}
      age: {bounds: [0, 120]}
      sex: {keys: [F, M]}
      city: {keys: [Hull, York]}
analysts:
)";
    for (const char* name : {"ana", "bob"}) {
      text += std::string("  ") + name + ": {password: \"" + testing::kVerifier +
              "\", budget: {epsilon: 10, delta: 1e-7}}\n";
    }
    policy_ = policy::Parse(text, (folder_ / "tacit.yaml").string()).value();
    engine_ = std::make_unique<testing::FaultyEngine>(
        std::make_unique<engine::duckdb::DuckdbEngine>(path, engine::duckdb::Limits{.threads = 1}));
    schema_ = engine_->ReadSchema().value();
  }

  answer::Answer Bought(const std::string& text, const std::string& analyst = "ana") {
    Result<answer::Answer> answer = Ask(text, analyst);
    EXPECT_TRUE(answer.ok()) << answer.error().public_message << answer.error().hint;
    EXPECT_FALSE(answer->privacy.cost.IsZero()) << text;
    return std::move(answer).value();
  }
  // So cheap that a sum of stored groups would be good enough.
  ledger::Cost CostAtATwentieth(const std::string& text) {
    Request request{.text = text, .analyst = "ana", .request_id = "", .wish = {}};
    request.wish.epsilon = Epsilon(Rational(1, 20));
    return Ask(request).value().privacy.cost;
  }
  // Made of what was bought: without a charge, without the engine, and said to be so.
  answer::Answer Free(const std::string& text, const std::string& analyst = "ana",
                      std::optional<Epsilon> price = std::nullopt) {
    const int runs = engine_->runs;
    Request request{.text = text, .analyst = analyst, .request_id = "", .wish = {}};
    request.wish.epsilon = price;
    Result<answer::Answer> answer = Ask(request);
    EXPECT_TRUE(answer.ok()) << text << answer.error().public_message << answer.error().hint;
    EXPECT_TRUE(answer->privacy.cost.IsZero()) << text;
    EXPECT_EQ(engine_->runs, runs) << text;
    EXPECT_THAT(answer->notices, Contains(HasSubstr("answers that you have paid for"))) << text;
    return std::move(answer).value();
  }
};

std::map<engine::Value, engine::Value> Named(const answer::Answer& answer, size_t column) {
  std::map<engine::Value, engine::Value> named;
  for (const std::vector<engine::Value>& row : answer.rows) named[row[0]] = row[column];
  return named;
}
const engine::Value F = std::string("F"), M = std::string("M");

TEST_F(DerivedTest, SomeOfTheNumbersOfAStoredTableAreFree) {
  const auto all = Bought("SELECT sex, count(*), avg(age) FROM people GROUP BY sex");
  // By itself a number has less noise at the same price: it is free up to what it was bought with.
  const Epsilon part(Rational(1, 3));
  const auto counts = Free("SELECT sex, count(*) FROM people GROUP BY sex", "ana", part);
  EXPECT_EQ(Named(counts, 1), Named(all, 1));
  const auto averages =
      Free("SELECT avg(age) AS a, sex FROM people GROUP BY sex", "ana", Epsilon(Rational(1, 2)));
  for (const std::vector<engine::Value>& row : averages.rows) {
    EXPECT_EQ(row[0], Named(all, 2)[row[1]]);
  }
  EXPECT_EQ(counts.columns[1].error->moe95, all.columns[1].error->moe95) << "its own error";
}

TEST_F(DerivedTest, NumbersOfTwoStoredTablesMakeOne) {
  const auto counts = Bought("SELECT sex, count(*) FROM people GROUP BY sex");
  const auto averages = Bought("SELECT sex, avg(age) FROM people GROUP BY sex");
  const auto both = Free("SELECT sex, count(*), avg(age) FROM people GROUP BY sex");
  EXPECT_EQ(Named(both, 1), Named(counts, 1));
  EXPECT_EQ(Named(both, 2), Named(averages, 1));
}

TEST_F(DerivedTest, AConditionOnAStoredKeyChoosesItsGroup) {
  const auto by_sex = Bought("SELECT sex, count(*) FROM people GROUP BY sex");
  const auto women = Free("SELECT count(*) FROM people WHERE sex = 'F'");
  ASSERT_EQ(women.rows.size(), 1u);
  EXPECT_EQ((*women.rows.begin())[0], Named(by_sex, 1)[F]);
  const auto shown = Free("SELECT sex, count(*) FROM people WHERE sex = 'M' GROUP BY sex");
  ASSERT_EQ(shown.rows.size(), 1u);
  EXPECT_EQ(Named(shown, 1)[M], Named(by_sex, 1)[M]);
  Free("SELECT sex FROM people WHERE 'F' = sex GROUP BY sex HAVING count(*) > 3");
}

TEST_F(DerivedTest, GroupsAddUpWhereTheQuestionNamesThemAll) {
  const auto fine = Bought("SELECT city, sex, count(*) FROM people GROUP BY city, sex");
  int64_t listed = 0;
  for (const std::vector<engine::Value>& row : fine.rows) listed += std::get<int64_t>(row[2]);
  Request coarse{.text =
                     "SELECT count(*) FROM people WHERE city IN ('York', 'Hull') AND "
                     "sex IN ('F', 'M')",
                 .analyst = "ana",
                 .request_id = "",
                 .wish = {}};
  coarse.wish.epsilon = Epsilon(Rational(1, 10));
  const answer::Answer total = Ask(coarse).value();
  EXPECT_TRUE(total.privacy.cost.IsZero());
  EXPECT_EQ(std::get<int64_t>((*total.rows.begin())[0]), listed);
  EXPECT_GT(total.columns[0].error->moe95, fine.columns[2].error->moe95);
  EXPECT_LT(total.columns[0].error->moe95, 4 * fine.columns[2].error->moe95);
}

// Bath is not listed: whoever lives there is in no group, and in every number without groups.
TEST_F(DerivedTest, RowsThatNoGroupCountsAreNotForgotten) {
  Bought("SELECT city, sex, count(*) FROM people GROUP BY city, sex");
  Bought("SELECT sex, count(*) FROM people GROUP BY sex");
  EXPECT_EQ(CostAtATwentieth("SELECT count(*) FROM people").epsilon, Rational(1, 20));
  const std::string bath = "SELECT count(*) FROM people WHERE city = 'Bath' AND sex = 'F'";
  EXPECT_EQ(CostAtATwentieth(bath).epsilon, Rational(1, 20));
  const std::string some = "SELECT count(*) FROM people WHERE city IN ('Hull', 'Bath')";
  EXPECT_EQ(CostAtATwentieth(some + " AND sex = 'F'").epsilon, Rational(1, 20));
}

TEST_F(DerivedTest, PeopleOfSeveralGroupsDoNotAddUp) {
  policy_.tables.at(0).rows_per_unit = 3;
  Bought("SELECT sex, count(DISTINCT id), count(*) FROM people GROUP BY sex");
  const std::string of_both = "SELECT count(DISTINCT id) FROM people WHERE sex IN ('F', 'M')";
#ifdef TACIT_MUTANTS
  SetMutant("people_add_up");
  Bought("SELECT sex, count(DISTINCT id), avg(age) FROM people GROUP BY sex");
  EXPECT_TRUE(CostAtATwentieth(of_both).IsZero()) << "nothing else stands in the way";
  SetMutant("");
#endif
  Bought("SELECT sex, count(DISTINCT id) FROM people WHERE age > 5 GROUP BY sex");
  EXPECT_EQ(CostAtATwentieth(of_both + " AND age > 5").epsilon, Rational(1, 20));
}

TEST_F(DerivedTest, AnErrorThatIsTooLargeIsBoughtAnew) {
  Request fine{.text = "SELECT count(*) FROM people WHERE sex = 'F'",
               .analyst = "ana",
               .request_id = "",
               .wish = {}};
  Bought("SELECT sex, count(*) FROM people GROUP BY sex");
  fine.wish.epsilon = Epsilon(Rational(2));
  const answer::Answer dear = Ask(fine).value();
  EXPECT_EQ(dear.privacy.cost.epsilon, 2);
}

TEST_F(DerivedTest, WhatAnotherHasPaidForServesNobodyElse) {
  Bought("SELECT sex, count(*), avg(age) FROM people GROUP BY sex", "ana");
  Bought("SELECT sex, count(*) FROM people GROUP BY sex", "bob");
  Free("SELECT count(*) FROM people WHERE sex = 'F'", "bob");
  Bought("SELECT avg(age) FROM people WHERE sex = 'F'", "bob");
}

TEST_F(DerivedTest, TheSameAnswerComesAgainWhateverIsBoughtMeanwhile) {
  Bought("SELECT sex, count(*) FROM people GROUP BY sex");
  const auto first = Free("SELECT count(*) FROM people WHERE sex = 'F'");
  Bought("SELECT city, sex, count(*) FROM people GROUP BY city, sex");
  Bought("SELECT sex, avg(age) FROM people GROUP BY sex");
  const auto again = Free("SELECT count(*) FROM people WHERE sex = 'F'");
  EXPECT_EQ(again.rows, first.rows);
  EXPECT_EQ(again.columns[0].error->moe95, first.columns[0].error->moe95);
}

// What was read is remembered; what is remembered says what reading all of it says.
TEST_F(DerivedTest, WhatIsRememberedOfChargesIsWhatTheLedgerSays) {
  using Tables = std::vector<std::pair<int64_t, size_t>>;
  const auto tables_of = [this](OwnShapes& shapes, const std::string& analyst, int64_t version) {
    Tables tables;
    EXPECT_TRUE(shapes
                    .Of(analyst, version, *ledger_,
                        [&](const std::vector<const OwnShapes::Known*>& known) {
                          for (const auto* each : known) {
                            tables.emplace_back(each->id.sequence, each->id.ordinal);
                          }
                        })
                    .ok());
    return tables;
  };
  OwnShapes kept;
  size_t most = 0;
  for (const char* analyst : {"ana", "bob", "ana", "", "bob"}) {
    for (const char* text : {"SELECT sex, count(*) FROM people GROUP BY sex",
                             "SELECT city, avg(age) FROM people GROUP BY city"}) {
      EXPECT_TRUE(Ask(text, analyst).ok());
      for (const char* asker : {"ana", "bob", ""}) {
        for (const int64_t version : {1, 2, 1}) {
          OwnShapes anew;
          const Tables expected = tables_of(anew, asker, version);
          EXPECT_EQ(tables_of(kept, asker, version), expected) << asker << version;
          EXPECT_TRUE(version == 1 || expected.empty());
          most = std::max(most, expected.size());
        }
      }
    }
  }
  EXPECT_EQ(most, 2u) << "what is asked again is no charge";
}

TEST_F(DerivedTest, UnderAnIdAnAnswerIsTheOneThatIsCharged) {
  Bought("SELECT sex, count(*), avg(age) FROM people GROUP BY sex");
  const Request request{.text = "SELECT sex, count(*) FROM people GROUP BY sex",
                        .analyst = "ana",
                        .request_id = "one",
                        .wish = {}};
  EXPECT_EQ(Ask(request)->privacy.cost.epsilon, 1);
}

TEST_F(DerivedTest, AnEmptyBudgetStillServesWhatIsMadeOfStoredAnswers) {
  for (int i = 0; i < 9; ++i) {
    Bought("SELECT count(*) FROM people WHERE age > " + std::to_string(i));
  }
  const auto by_sex = Bought("SELECT sex, count(*) FROM people GROUP BY sex");
  EXPECT_FALSE(Ask("SELECT count(*) FROM people", "ana").ok());
  Free("SELECT count(*) FROM people WHERE sex = 'M'");
}

}  // namespace
}  // namespace tacit::gateway
