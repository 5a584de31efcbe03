#include "gateway/learning/learn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "answer/shown/margins.h"
#include "gateway/learning/measure.h"
#include "gateway/testing/asked_gateway.h"

namespace tacit::gateway::learning {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kLearnPolicy[] = R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: NEIGHBOURS
  accounting: ACCOUNTING
  budget: {epsilon: 1e9, delta: 1e-6}
  query: {epsilon: 0.4, epsilon_max: 1e8, delta: 1e-9}
tables:
  people:
    unit: id
    rows_per_unit: ROWS
    columns:
      id: {hidden: true}
      age: {bounds: [0, 120]}
      income: {bounds: [0, 100000]}
      town: {keys: [north, south, west]}
  places: {public: true}
analysts:
)";

constexpr char kLine[] =
    "SELECT * FROM tacit.linear_regression('SELECT income, age, member FROM people', target => "
    "'income')";

// 20,000 people: income = 20000 + 300 age - 4000 member, with a spread of about 9,000.
constexpr char kPeople[] =
    "CREATE TABLE people AS SELECT i::INTEGER AS id, (18 + (i * 7919) % 63)::INTEGER AS age, "
    "i % 3 = 0 AS member, (20000 + 300 * (18 + (i * 7919) % 63) - CASE WHEN i % 3 = 0 THEN 4000 "
    "ELSE 0 END + ((i * 104729) % 31000) - 15500)::DOUBLE AS income, 7 AS constant, i % 5 AS free, "
    "'Ann' AS name, CASE i % 4 WHEN 0 THEN 'south' WHEN 1 THEN 'north' WHEN 2 THEN 'west' ELSE "
    "'nowhere' END AS town, DATE '2000-01-01' AS born FROM range(20000) t(i)";

class LearnTest : public testing::AskedGateway {
 protected:
  LearnTest() { Make({}); }

  struct World {
    std::string neighbours = "add_remove";
    std::string accounting = "pure";
    std::string rows = "1";
    std::string extra = "";
  };
  void Make(const World& world) {
    engine_.reset();
    ledger_.reset();
    std::filesystem::remove(folder_ / "data.duckdb");
    const std::string path = (folder_ / "data.duckdb").string();
    {
      using namespace engine::duckdb;
      const Result<Database> database = Database::OpenForImport(path, {.threads = 1});
      Result<Connection> connected = database->Connect();
      Connection connection = std::move(connected).value();
      for (const std::string& sql :
           {std::string(kPeople), std::string("CREATE TABLE places AS SELECT 1 AS x"),
            world.extra}) {
        if (!sql.empty()) EXPECT_FALSE(connection.Execute(sql)) << sql;
      }
    }
    std::string text = kLearnPolicy;
    const auto put = [&](const std::string& word, const std::string& value) {
      text.replace(text.find(word), word.size(), value);
    };
    put("NEIGHBOURS", world.neighbours);
    put("ACCOUNTING", world.accounting);
    put("ROWS", world.rows);
    for (const char* name : {"ana", "bob"}) {
      text += std::string("  ") + name + ": {password: \"" + testing::kVerifier +
              "\", budget: {epsilon: 1e9, delta: 1e-7}}\n";
    }
    Result<policy::Policy> parsed = policy::Parse(text, (folder_ / "tacit.yaml").string());
    EXPECT_TRUE(parsed.ok()) << parsed.error().public_message;
    policy_ = std::move(parsed).value();
    engine_ = std::make_unique<testing::FaultyEngine>(
        std::make_unique<engine::duckdb::DuckdbEngine>(path, engine::duckdb::Limits{.threads = 1}));
    schema_ = engine_->ReadSchema().value();
    ledger_file_ = "ledger-" + std::to_string(++worlds_) + ".sqlite";
    const std::string ledger = (folder_ / ledger_file_).string();
    EXPECT_TRUE(ledger::Ledger::Create(ledger).ok());
    ledger_ = std::make_unique<ledger::Ledger>(ledger::Ledger::Open(ledger).value());
  }
  Rational SpentNow() const {
    const auto accounts = ledger::ReadAccounts((folder_ / ledger_file_).string());
    return accounts->empty() ? Rational(0) : accounts->at(0).spent.epsilon;
  }
  static Request At(const std::string& text, const Rational& epsilon,
                    const std::string& analyst = "") {
    Request request{.text = text, .analyst = analyst, .request_id = "", .wish = {}};
    request.wish.epsilon = Epsilon(epsilon);
    return request;
  }
  Result<LearnedLine> LineAt(const Rational& epsilon) {
    Services services = ServicesNow();
    services.instances = &instances_;
    return LearnLine({.task = "linear_regression",
                      .rows = "SELECT income, age, member FROM people",
                      .options = {{"target", "income"}}},
                     At("", epsilon), services);
  }

  // Starting one takes longer than most answers.
  engine::duckdb::PostProcessingPool instances_{1};
  std::string ledger_file_;
  int worlds_ = 0;
};

double NumberAt(const answer::Answer& answer, size_t row, size_t column) {
  return answer::FiniteNumber(answer.rows[row][column]).value();
}

// By DuckDB's own regr_*: of income by age alone, and of the exact fit by both where noise is none.
TEST_F(LearnTest, AtAPriceThatLeavesNoNoiseItIsLeastSquares) {
  const Result<LearnedLine> line = LineAt(Rational(100'000'000));
  ASSERT_TRUE(line.ok()) << line.error().public_message << line.error().private_detail;
  ASSERT_EQ(line->model.fit.trust, learn::Trust::kFull);
  EXPECT_NEAR(line->model.fit.rows, 20000, 0.1);
  EXPECT_NEAR(line->model.fit.coefficients[1], 300, 15);
  EXPECT_NEAR(line->model.fit.coefficients[2], -4000, 600);
  const Result<answer::Answer> slope =
      Ask(At("SELECT regr_slope(income, age) AS s FROM people", Rational(100'000'000)));
  ASSERT_TRUE(slope.ok());
  const Result<answer::Answer> own = Ask(At(
      "SELECT * FROM tacit.linear_regression('SELECT income, age FROM people', target => 'income')",
      Rational(100'000'000)));
  ASSERT_TRUE(own.ok());
  EXPECT_NEAR(NumberAt(*own, 1, 1), NumberAt(*slope, 0, 0), 0.2);
}

TEST_F(LearnTest, OneChargeServesEveryModelOfTheseColumns) {
  const Result<answer::Answer> first = Ask(At(kLine, 1, "ana"));
  ASSERT_TRUE(first.ok()) << first.error().public_message;
  EXPECT_EQ(SpentNow(), 1);
  EXPECT_EQ(first->rows.size(), 3u);
  EXPECT_EQ(first->columns[0].name, "term");
  EXPECT_EQ(std::get<std::string>(first->rows[2][0]), "member");
  const Result<answer::Answer> again = Ask(At(kLine, 1, "ana"));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->rows == first->rows);
  EXPECT_TRUE(again->privacy.cost.IsZero());
  for (const char* other :
       {"SELECT * FROM tacit.linear_regression('select income, age, member from people;', target "
        "=> 'age', features => 'income')",
        "SELECT * FROM tacit.moments('SELECT income, age, member FROM people')",
        "SELECT * FROM tacit.pca('SELECT income, age, member FROM people')"}) {
    const Result<answer::Answer> free = Ask(At(other, 1, "ana"));
    ASSERT_TRUE(free.ok()) << free.error().public_message;
    EXPECT_TRUE(free->privacy.cost.IsZero()) << other;
    EXPECT_FALSE(free->rows.empty());
  }
  EXPECT_EQ(SpentNow(), 1);
  // Bob has not paid: the stored answer is charged to him, and costs the dataset nothing.
  const Result<answer::Answer> bob = Ask(At(kLine, 1, "bob"));
  ASSERT_TRUE(bob.ok());
  EXPECT_FALSE(bob->privacy.cost.IsZero());
  EXPECT_TRUE(bob->rows == first->rows);
  EXPECT_EQ(SpentNow(), 1);
}

TEST_F(LearnTest, ExplainingIsFreeAndSaysThePriceAndTheNoise) {
  const int runs = engine_->runs;
  const Result<answer::Answer> told = Ask(At(std::string("EXPLAIN ") + kLine, 1));
  ASSERT_TRUE(told.ok()) << told.error().public_message;
  std::string text;
  for (const std::vector<engine::Value>& row : told->rows)
    text += std::get<std::string>(row[0]) + "\n";
  EXPECT_THAT(text, HasSubstr("noise of the coefficients"));
  EXPECT_THAT(text, HasSubstr("of 100000 rows: age "));
  EXPECT_EQ(SpentNow(), 0);
  EXPECT_EQ(engine_->runs, runs);
}

TEST_F(LearnTest, RefusesBeforeAnythingIsCharged) {
  const auto line = [](const std::string& rows, const std::string& options) {
    return "SELECT * FROM tacit.linear_regression('" + rows + "'" + options + ")";
  };
  const std::string target = ", target => 'income'";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {line("SELECT income, free FROM people", target), "free has no public range"},
      {line("SELECT income, name FROM people", target), "name has no public list"},
      {line("SELECT income, born FROM people", target), "born is date"},
      {line("SELECT town, age FROM people", ", target => 'town'"), "town is text"},
      {line("SELECT income, 7 AS constant FROM people", target), "can only be 7"},
      {line("SELECT income, age FROM people", ""), "needs to know what to explain"},
      {line("SELECT income, age FROM people", ", target => 'wages'"), "no column wages"},
      {line("SELECT income FROM people", target), "nothing to explain income by"},
      {line("SELECT income, age FROM people", target + ", features => 'age, AGE'"), "twice"},
      {line("SELECT income, age FROM people", target + ", features => ''"), "no column"},
      {line("SELECT income, age FROM people", target + ", colour => 'red'"), "no option colour"},
      {line("SELECT income, age FROM people", target + target), "comes twice"},
      {line("SELECT income, age FROM people", ", 'income'"), "by name"},
      {line("SELECT avg(income) AS income, 1 AS age FROM people", target), "gives none"},
      {line("SELECT x AS income, x + 1 AS age FROM places", target), "gives none"},
      {line("SELECT income, age FROM nobody", target), "nobody"},
      {line("SELECT income, age, FROM people", target), "in the rows to learn from"},
      {line("EXPLAIN SELECT income, age FROM people", target), "gives none"},
      {line("SELECT income, age, age FROM people", target), "gives none"},
      {line("SELECT income, id FROM people", target), "id"},
      {"SELECT * FROM tacit.pca()", "takes the rows to learn from first"},
      {"SELECT * FROM tacit.pca('SELECT age, income FROM people', target => 'age')", "no option"},
      {"SELECT * FROM tacit.moments(age)", "constants"},
  };
  for (const auto& [text, why] : cases) {
    for (const char* explain : {"", "EXPLAIN "}) {
      const Result<answer::Answer> answer = Ask(At(explain + text, 1));
      ASSERT_FALSE(answer.ok()) << text;
      EXPECT_THAT(answer.error().public_message, HasSubstr(why)) << text;
    }
  }
  Request wish = At(kLine, 1);
  wish.wish.epsilon.reset();
  wish.wish.error = plan::ErrorWish{.named = {}, .others = plan::ErrorTarget{Rational(5)}};
  EXPECT_THAT(Ask(wish).error().public_message, HasSubstr("at a price"));
  EXPECT_EQ(SpentNow(), 0);
  // What is told to do helps.
  EXPECT_TRUE(
      Ask(At(line("SELECT income, least(greatest(free, 0), 100) AS free FROM people", target), 1))
          .ok());
  EXPECT_TRUE(Ask(At(line("SELECT income, name = ''Ann'' AS is_ann FROM people", target), 1)).ok());
}

TEST_F(LearnTest, RowsWithNullCountNowhere) {
  Make({.extra = "UPDATE people SET age = NULL WHERE id % 2 = 0"});
  const Result<LearnedLine> line = LineAt(Rational(100'000'000));
  ASSERT_TRUE(line.ok());
  EXPECT_NEAR(line->model.fit.rows, 10000, 0.1);
}

TEST_F(LearnTest, ListedTextsAreComparedWithTheFirst) {
  Make({.extra = "UPDATE people SET income = income + 5000 WHERE town = 'west'"});
  Services services = ServicesNow();
  const Result<LearnedLine> line = LearnLine({.task = "linear_regression",
                                              .rows = "SELECT income, town, age FROM people",
                                              .options = {{"target", "income"}}},
                                             At("", Rational(100'000'000)), services);
  ASSERT_TRUE(line.ok()) << line.error().public_message;
  ASSERT_EQ(line->model.features.size(), 3u);
  EXPECT_EQ(line->model.features[0].name, "town=south");
  EXPECT_EQ(line->model.features[1].name, "town=west");
  // Whoever is nowhere is left out.
  EXPECT_NEAR(line->model.fit.rows, 15000, 0.1);
  EXPECT_NEAR(line->model.fit.coefficients[2], 5000, 700);
  EXPECT_NEAR(line->model.fit.coefficients[3], 300, 20);
  EXPECT_EQ(line->notices[2], "town is compared with north");
}

TEST_F(LearnTest, NoRowsSayNothing) {
  Make({.extra = "DELETE FROM people"});
  const Result<answer::Answer> answer = Ask(At(kLine, 1));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->rows.size(), 3u);
  EXPECT_TRUE(engine::IsNull(answer->rows[1][1]));
  const Result<answer::Answer> components =
      Ask(At("SELECT * FROM tacit.pca('SELECT income, age, member FROM people')", 1));
  ASSERT_TRUE(components.ok());
  EXPECT_EQ(components->rows.size(), 9u);
  EXPECT_TRUE(engine::IsNull(components->rows[0][2]));
}

}  // namespace
}  // namespace tacit::gateway::learning
