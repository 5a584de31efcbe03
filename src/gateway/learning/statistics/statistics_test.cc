#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "answer/shown/margins.h"
#include "gateway/answer_query.h"
#include "gateway/learning/statistics/price_release.h"
#include "gateway/learning/statistics/statistic.h"
#include "gateway/testing/deployment.h"
#include "noise/release.h"

namespace tacit::gateway::learning {
namespace {

using ::testing::HasSubstr;

std::string StatisticsPolicy(const std::string& neighbours, const std::string& accounting) {
  return R"(tacit: 1
engine: {kind: duckdb, path: data.duckdb}
ledger: {kind: sqlite, path: ledger.sqlite}
privacy:
  neighbours: )" +
         neighbours + "\n  accounting: " + accounting + R"(
  budget: {epsilon: 1e9, delta: 1e-6}
  query: {epsilon: 1, epsilon_max: 1e8, delta: 1e-9}
tables:
  people:
    unit: id
    rows_per_unit: 2
    columns:
      id: {hidden: true}
      town: {keys: [north, south, west]}
      age: {bounds: [0, 120]}
      days: {bounds: [0, 100]}
      bid: {bounds: [0, 50], step: 0.01}
      debt: {bounds: [-50, 0]}
  places: {public: true}
)";
}

// 3,000 people: those of the north are members twice as often and bid 10 more; one in four dies, on
// a day that all days are alike.
constexpr char kPeopleTable[] =
    "CREATE TABLE people AS SELECT i::INTEGER AS id, CASE i % 4 WHEN 0 THEN 'north' WHEN 1 THEN "
    "'south' WHEN 2 THEN 'west' ELSE 'nowhere' END AS town, (18 + (i * 7919) % 63)::INTEGER AS "
    "age, (i * 104729) % 5 < CASE WHEN i % 4 = 0 THEN 2 ELSE 1 END AS member, ((i * 31) % "
    "100)::INTEGER AS days, (i * 17) % 4 = 0 AS died, (((i * 13) % 300) / 10.0 + CASE WHEN i % 4 = "
    "0 THEN 10 ELSE 0 END)::DOUBLE AS bid, -1 AS debt, i % 5 AS free, 'Ann' AS name, DATE "
    "'2000-01-01' AS born FROM range(3000) t(i)";

class StatisticsWorld : public gateway::testing::TestDeployment {
 public:
  explicit StatisticsWorld(const std::string& more = "SELECT 1",
                           const std::string& neighbours = "add_remove",
                           const std::string& accounting = "pure")
      : TestDeployment(StatisticsPolicy(neighbours, accounting),
                       {kPeopleTable, "CREATE TABLE places AS SELECT 1 AS x", more}) {}

  static Request At(const std::string& text, const Rational& epsilon) {
    Request request{.text = text, .analyst = "", .request_id = "", .wish = {}};
    request.wish.epsilon = Epsilon(epsilon);
    return request;
  }
  Result<answer::Answer> Ask(const std::string& text, const Rational& epsilon = 1) {
    gateway::Services services = Services();
    services.instances = &instances_;
    return AnswerQuery(At(text, epsilon), services);
  }

 private:
  engine::duckdb::PostProcessingPool instances_{1};
};

double At(const answer::Answer& answer, size_t row, size_t column) {
  return answer::FiniteNumber(answer.rows[row][column]).value();
}
std::string TextAt(const answer::Answer& answer, size_t row, size_t column) {
  return std::get<std::string>(answer.rows[row][column]);
}

const Rational kNoNoise = 10'000'000;

TEST(Statistics, CountWithoutNoiseWhatIsThere) {
  StatisticsWorld world;
  const auto histogram =
      world.Ask("SELECT * FROM tacit.histogram('SELECT age FROM people', bins => 4)", kNoNoise);
  ASSERT_TRUE(histogram.ok()) << histogram.error().public_message;
  ASSERT_EQ(histogram->rows.size(), 4u);
  EXPECT_EQ(TextAt(*histogram, 0, 0), "[0, 31)");
  double people = 0;
  for (size_t i = 0; i < 4; ++i) people += At(*histogram, i, 3);
  EXPECT_EQ(people, 3000);
  const auto direct = world.Ask("SELECT count(*) FROM people WHERE age < 31", kNoNoise);
  EXPECT_EQ(At(*histogram, 0, 3), At(*direct, 0, 0));

  const auto top = world.Ask(
      "SELECT * FROM tacit.top_k('SELECT town FROM people WHERE age > 30', k => 2)", kNoNoise);
  ASSERT_TRUE(top.ok()) << top.error().public_message;
  ASSERT_EQ(top->rows.size(), 2u);
  EXPECT_GE(At(*top, 0, 2), At(*top, 1, 2));

  const auto chi =
      world.Ask("SELECT * FROM tacit.chi_square('SELECT town, member FROM people')", kNoNoise);
  ASSERT_TRUE(chi.ok()) << chi.error().public_message << chi.error().private_detail;
  ASSERT_EQ(chi->rows.size(), 7u);
  EXPECT_EQ(At(*chi, 0, 2), 2250);  // whoever is nowhere is left out
  EXPECT_LT(At(*chi, 0, 5), 0.01);
  EXPECT_EQ(TextAt(*chi, 1, 0), "north");
  EXPECT_EQ(TextAt(*chi, 2, 1), "true");
  const auto one =
      world.Ask("SELECT count(*) FROM people WHERE town = 'north' AND member", kNoNoise);
  EXPECT_EQ(At(*chi, 2, 2), At(*one, 0, 0));

  const auto t = world.Ask(
      "SELECT * FROM tacit.t_test('SELECT bid, town = ''north'' AS north FROM people')", kNoNoise);
  ASSERT_TRUE(t.ok()) << t.error().public_message;
  EXPECT_NEAR(At(*t, 0, 0), 10, 0.3);
  EXPECT_LT(At(*t, 0, 1), 10);
  EXPECT_GT(At(*t, 0, 2), 10);
  EXPECT_LT(At(*t, 0, 3), 0.01);
  EXPECT_EQ(std::round(At(*t, 0, 10)), 750);

  const auto survival = world.Ask(
      "SELECT * FROM tacit.survival('SELECT days, died FROM people', bins => 10)", kNoNoise);
  ASSERT_TRUE(survival.ok()) << survival.error().public_message;
  ASSERT_EQ(survival->rows.size(), 10u);
  EXPECT_NEAR(At(*survival, 0, 1), 3000, 0.01);
  EXPECT_LT(At(*survival, 5, 3), At(*survival, 0, 3));
  EXPECT_LE(At(*survival, 5, 4), At(*survival, 5, 3));
  EXPECT_TRUE(engine::IsNull(survival->rows[9][3]));

  const auto winner = world.Ask(
      "SELECT * FROM tacit.winner('SELECT town FROM people WHERE town <> ''south''')", 100);
  ASSERT_TRUE(winner.ok()) << winner.error().public_message;
  EXPECT_NE(TextAt(*winner, 0, 0), "south");
}

TEST(Statistics, TheBestPriceIsThatOfTheBids) {
  StatisticsWorld world;
  const auto chosen = world.Ask("SELECT * FROM tacit.best_price('SELECT bid FROM people')", 10000);
  ASSERT_TRUE(chosen.ok()) << chosen.error().public_message << chosen.error().private_detail;
  // Asked one by one.
  double best = 0;
  double earned = 0;
  for (int price = 1; price <= 50; ++price) {
    const auto count =
        world.Ask("SELECT count(*) FROM people WHERE bid >= " + std::to_string(price), 10000);
    const double revenue = price * At(*count, 0, 0);
    best = std::max(best, revenue);
    if (price == At(*chosen, 0, 0)) earned = revenue;
  }
  EXPECT_GT(earned, best * 0.999);
}

// What the engine counts goes into the choice as it is, many times, on databases that differ in one
// person who has as many rows as count: no price's chance moves by more than e^epsilon, and that of
// the dearest, which the person would pay, comes near it.
TEST(Statistics, OneBidderChangesNoPricesChanceByMoreThanThePrice) {
  constexpr int kDraws = 20'000;
  const Rational epsilon(1, 2);
  for (const char* neighbours : {"add_remove", "replace_one"}) {
    std::vector<std::map<size_t, double>> tallies;
    for (const char* person : {"(9001, 0), (9001, 0)", "(9001, 50), (9001, 50), (9001, 50)"}) {
      const bool replaced = std::string(neighbours) == "replace_one";
      const std::string rich =
          std::string(person).ends_with("50)") || replaced ? person : "(NULL, 0)";
      StatisticsWorld world("INSERT INTO people (id, bid) VALUES " + rich, neighbours);
      gateway::Services services = world.Services();
      const auto grid = learn::MakePriceGrid({.name = "bid", .low = 0, .high = 50}, false, 4);
      const auto release = PriceRelease::Make(*grid, "SELECT bid FROM people WHERE town IS NULL",
                                              StatisticsWorld::At("", epsilon), services);
      ASSERT_TRUE(release.ok()) << release.error().public_message;
      const auto quote = services.ledger.Quote((*release)->ChargeOf().value());
      ASSERT_TRUE((*release)->Prepare(*quote).ok());
      const auto exact = (*release)->Exact(0);
      ASSERT_TRUE(exact.ok());
      std::map<size_t, double> tally;
      for (int i = 0; i < kDraws; ++i) {
        ++tally[noise::Release((*release)->MechanismOf(0), *exact, services.entropy).value()];
      }
      tallies.push_back(tally);
    }
    double most = 0;
    for (size_t price = 0; price < 4; ++price) {
      const double one = tallies[0][price] + 1;
      const double other = tallies[1][price] + 1;
      const double moved = std::abs(std::log(one / other));
      most = std::max(most, moved);
      EXPECT_LT(moved, 0.5 + 5 * std::sqrt(1 / one + 1 / other)) << neighbours << price;
    }
    EXPECT_GT(most, 0.1) << neighbours;
  }
}

TEST(Statistics, AreChargedOnceAndReplayed) {
  StatisticsWorld world;
  Rational spent = 0;
  for (const char* call :
       {"tacit.histogram('SELECT age FROM people')",
        "tacit.chi_square('SELECT town, member FROM people')",
        "tacit.t_test('SELECT age, member FROM people')",
        "tacit.survival('SELECT days, died FROM people')",
        "tacit.winner('SELECT town FROM people')", "tacit.best_price('SELECT bid FROM people')"}) {
    const std::string text = std::string("SELECT * FROM ") + call;
    SCOPED_TRACE(text);
    const auto explained = world.Ask("EXPLAIN " + text);
    ASSERT_TRUE(explained.ok()) << explained.error().public_message;
    EXPECT_EQ(world.Spent(), spent);
    const auto first = world.Ask(text);
    ASSERT_TRUE(first.ok()) << first.error().public_message;
    spent += 1;
    EXPECT_EQ(world.Spent(), spent);
    const auto again = world.Ask(text);
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->rows == first->rows);
    EXPECT_TRUE(again->privacy.cost.IsZero());
    EXPECT_EQ(world.Spent(), spent);
    std::string names;
    for (const plan::OutputColumn& column : first->columns) names += column.name + " ";
    std::string told;
    gateway::Services services = world.Services();
    const auto described = DescribeQuery(StatisticsWorld::At(text, 1), services);
    ASSERT_TRUE(described.ok());
    for (const plan::OutputColumn& column : *described) told += column.name + " ";
    EXPECT_EQ(names, told);
  }
  // The largest of a histogram are in it.
  EXPECT_TRUE(
      world.Ask("SELECT * FROM tacit.top_k('SELECT age FROM people')")->privacy.cost.IsZero());
  EXPECT_EQ(world.Spent(), spent);
}

TEST(Statistics, AreAnsweredUnderEveryPolicy) {
  for (const char* neighbours : {"add_remove", "replace_one"}) {
    for (const char* accounting : {"pure", "zcdp"}) {
      StatisticsWorld world("SELECT 1", neighbours, accounting);
      for (const char* call : {"tacit.chi_square('SELECT town, age FROM people')",
                               "tacit.t_test('SELECT age, member FROM people')",
                               "tacit.survival('SELECT died, days FROM people')",
                               "tacit.best_price('SELECT bid FROM people', prices => 10)"}) {
        const auto answered = world.Ask(std::string("SELECT * FROM ") + call);
        EXPECT_TRUE(answered.ok()) << call << answered.error().public_message;
      }
    }
  }
}

TEST(Statistics, NoRowsSayNothing) {
  StatisticsWorld world("DELETE FROM people");
  const auto chi = world.Ask("SELECT * FROM tacit.chi_square('SELECT town, member FROM people')");
  ASSERT_TRUE(chi.ok());
  EXPECT_EQ(chi->rows.size(), 7u);
  EXPECT_TRUE(engine::IsNull(chi->rows[0][5]));
  const auto t = world.Ask("SELECT * FROM tacit.t_test('SELECT age, member FROM people')");
  ASSERT_TRUE(t.ok());
  EXPECT_TRUE(engine::IsNull(t->rows[0][0]));
  EXPECT_FALSE(engine::IsNull(t->rows[0][10]));
  const auto survival = world.Ask("SELECT * FROM tacit.survival('SELECT days, died FROM people')");
  ASSERT_TRUE(survival.ok());
  EXPECT_TRUE(engine::IsNull(survival->rows[0][3]));
}

TEST(Statistics, RefuseBeforeAnythingIsCharged) {
  StatisticsWorld world;
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"tacit.chi_square('SELECT town FROM people')", "takes two columns"},
      {"tacit.chi_square('SELECT town, name FROM people')", "name has no public list"},
      {"tacit.chi_square('SELECT town, free FROM people')", "free has no public range"},
      {"tacit.chi_square('SELECT town, born FROM people')", "born is date"},
      {"tacit.chi_square('SELECT age, days FROM people', bins => 50)", "more than 400 cells"},
      {"tacit.chi_square('SELECT age, days FROM people', bins => 0)", "from 1 to 400"},
      {"tacit.chi_square('SELECT age, days FROM people', bins => '1e3')", "bins is 1e3"},
      {"tacit.chi_square('SELECT age, member FROM people', bins => 1)", "takes two columns"},
      {"tacit.chi_square('SELECT town, member FROM people', colour => 'red')", "no option colour"},
      {"tacit.t_test('SELECT age, town FROM people')", "takes a number, and a boolean"},
      {"tacit.t_test('SELECT age, days FROM people')", "takes a number, and a boolean"},
      {"tacit.t_test('SELECT age, member, town FROM people')", "takes a number, and a boolean"},
      {"tacit.t_test('SELECT age, member FROM people', bins => 3)", "takes the rows alone"},
      {"tacit.survival('SELECT town, died FROM people')", "takes a number"},
      {"tacit.survival('SELECT days, age FROM people')", "takes a number"},
      {"tacit.histogram('SELECT avg(age) AS a FROM people')", "gives none"},
      {"tacit.histogram('SELECT x FROM places')", "protected table"},
      {"tacit.histogram('SELECT age FROM nobody')", "nobody"},
      {"tacit.histogram('SELECT age, FROM people')", "in the rows to learn from"},
      {"tacit.histogram('SELECT id FROM people')", "id"},
      {"tacit.top_k('SELECT town FROM people', k => 0)", "from 1 to"},
      {"tacit.winner('SELECT age FROM people')", "the candidates"},
      {"tacit.winner('SELECT name FROM people')", "name has no public list"},
      {"tacit.best_price('SELECT member FROM people')", "takes one column: a number"},
      {"tacit.best_price('SELECT debt FROM people')", "never above 0"},
      {"tacit.best_price('SELECT free FROM people')", "free has no public range"},
      {"tacit.best_price('SELECT bid FROM people', prices => 501)", "from 1 to 500"},
      {"tacit.best_price()", "takes the rows"},
  };
  for (const auto& [call, why] : cases) {
    for (const char* explain : {"", "EXPLAIN "}) {
      const auto answer = world.Ask(std::string(explain) + "SELECT * FROM " + call);
      ASSERT_FALSE(answer.ok()) << call;
      EXPECT_THAT(answer.error().public_message + answer.error().hint, HasSubstr(why)) << call;
    }
  }
  EXPECT_EQ(world.Spent(), 0);
}

}  // namespace
}  // namespace tacit::gateway::learning
