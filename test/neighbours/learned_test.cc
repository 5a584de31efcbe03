#include <gtest/gtest.h>

#include "learn/moments.h"
#include "measured.h"
#include "plan/price/sensitivity.h"
#include "world.h"

// Models of two databases that differ in one person: nothing that leaves differs but the numbers
// that were paid for, and none of the numbers that models are made of moves by more than its plan
// declared.

namespace tacit::neighbours {
namespace {

struct Person {
  const char* who;
  const char* added;
};
constexpr Person kPersons[] = {
    {"extreme values and far more rows than any cap",
     "INSERT INTO member VALUES (7001, 'z', 2147483647, 1e308, 'X', 2147483647, true, DATE "
     "'5000-01-01', '');"
     "INSERT INTO ride SELECT 8000 + i, 7001, CASE WHEN i % 2 = 0 THEN 1e308 ELSE 'NaN'::DOUBLE "
     "END, 'n', DATE '2024-02-01' FROM range(60) t(i);"
     "INSERT INTO sale SELECT 9000 + i, 7001, 'a', 'shop', 2147483647 FROM range(90) t(i)"},
    {"the other extreme",
     "INSERT INTO member VALUES (-5, '', -2147483648, '-Infinity', 'F', 1, false, DATE "
     "'0001-01-01', '');"
     "INSERT INTO ride SELECT 8000 + i, -5, '-Infinity', 's', NULL FROM range(9) t(i);"
     "INSERT INTO sale SELECT 9000 + i, -5, 'd', NULL, -2147483648 FROM range(9) t(i)"},
    {"one end in one column, the other in another",
     "INSERT INTO member VALUES (7001, '', 120, 30, 'F', 1, true, NULL, '');"
     "INSERT INTO ride SELECT 8000 + i, 7001, 50, 's', NULL FROM range(9) t(i)"},
    {"nothing but NULL",
     "INSERT INTO member (id) VALUES (7001); INSERT INTO ride (ride_id, member_id) VALUES (8000, "
     "7001)"},
    {"a part of each row is NULL",
     "INSERT INTO member (id, age) VALUES (7001, 119); INSERT INTO ride (ride_id, member_id, km) "
     "VALUES (8000, 7001, 49), (8001, 7001, NULL)"},
};

// Rows to learn from; the first column is the target.
const std::vector<std::string>& RowsAsked() {
  static const std::vector<std::string> rows = {
      "SELECT age, weight, active, sex FROM member",
      "SELECT weight, age / 10 AS decade, sex = 'F' AS woman FROM member WHERE level < 3",
      "SELECT km, place = 'n' AS north FROM ride",
      "SELECT m.age, r.km FROM member AS m JOIN ride AS r ON r.member_id = m.id",
      "SELECT km, least(greatest(1 / (km - 49), -1), 1) AS odd FROM ride",
      "SELECT total, age FROM (SELECT m.id, max(m.age) AS age, sum(s.amount) AS total FROM member "
      "AS m JOIN sale AS s ON s.member_id = m.id GROUP BY m.id) AS each",
  };
  return rows;
}

gateway::Request Asking(const std::string& text) {
  return {.text = text, .analyst = "", .request_id = "", .wish = {}};
}

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

std::vector<std::string> Tasks() {
  const char* const targets[] = {"age", "weight", "km", "age", "km", "total"};
  std::vector<std::string> tasks;
  for (size_t i = 0; i < RowsAsked().size(); ++i) {
    tasks.push_back("SELECT * FROM tacit.linear_regression(" + Quoted(RowsAsked()[i]) +
                    ", target => '" + targets[i] + "')");
  }
  tasks.push_back("SELECT * FROM tacit.moments(" + Quoted(RowsAsked()[2]) + ")");
  tasks.push_back("SELECT * FROM tacit.pca(" + Quoted(RowsAsked()[2]) + ")");
  tasks.push_back("SELECT * FROM tacit.pca('SELECT age, note FROM member')");  // refused
  // Models of cells, whose rounds are steered by those before.
  for (const char* task : {"naive_bayes", "svm", "logistic_regression", "tree", "boosted_trees"}) {
    tasks.push_back("SELECT * FROM tacit." + std::string(task) + "(" + Quoted(RowsAsked()[0]) +
                    ", target => 'active', bins => 4)");
    tasks.push_back("SELECT * FROM tacit." + std::string(task) + "(" + Quoted(RowsAsked()[2]) +
                    ", target => 'north', bins => 3)");
    tasks.push_back("SELECT * FROM tacit." + std::string(task) + "(" + Quoted(RowsAsked()[2]) +
                    ", target => 'north', bins => 3, holdout => 0.3)");
  }
  tasks.push_back("SELECT * FROM tacit.naive_bayes(" + Quoted(RowsAsked()[0]) +
                  ", target => 'sex')");
  for (const size_t rows : {2, 3}) {
    tasks.push_back("SELECT * FROM tacit.kmeans(" + Quoted(RowsAsked()[rows]) + ", k => 3)");
  }
  return tasks;
}

class LearnedNeighbours : public ::testing::TestWithParam<std::tuple<std::string, bool>> {};

TEST_P(LearnedNeighbours, DifferInPaidNumbersAndInNothingElse) {
  const auto& [database, prepared] = GetParam();
  for (const Person& person : kPersons) {
    // Every policy meets the extremes, the first one everybody.
    if (&person - kPersons > 1 && (database != "club" || prepared)) break;
    SCOPED_TRACE(person.who);
    const std::unique_ptr<World> fresh = World::Make(database, "", prepared);
    const std::unique_ptr<World> with = World::Make(database, person.added, prepared);
    size_t answered = 0;
    uint64_t seed = 0;
    for (const std::string& task : Tasks()) {
      SCOPED_TRACE(task);
      ++seed;
      const World::Seen a = fresh->Ask(Asking(task), seed);
      const World::Seen b = with->Ask(Asking(task), seed);
      EXPECT_EQ(a.said, b.said);
      EXPECT_EQ(a.balance, b.balance);
      // How many leaves a tree has is one of the numbers that were paid for.
      const bool is_tree = task.starts_with("SELECT * FROM tacit.tree");
      if (!is_tree) {
        EXPECT_EQ(a.rows.size(), b.rows.size());
      }
      EXPECT_EQ(fresh->Explain(Asking(task)), with->Explain(Asking(task)));
      answered += a.answered ? 1 : 0;
    }
    EXPECT_GT(answered, 3u);
    EXPECT_EQ(fresh->Ledger(), with->Ledger());
  }
}

TEST_P(LearnedNeighbours, NoNumberMovesMoreThanDeclared) {
  const auto& [database, prepared] = GetParam();
  const std::unique_ptr<World> without = World::Make(database, "", prepared);
  const std::vector<std::pair<std::vector<learn::Column>, std::string>> asked = {
      {{{.name = "age", .low = 0, .high = 120},
        {.name = "weight", .low = 30, .high = 150},
        {.name = "active", .is_boolean = true}},
       RowsAsked()[0]},
      {{{.name = "km", .low = 0, .high = 50}, {.name = "north", .is_boolean = true}},
       RowsAsked()[2]},
      // Ranges that are too narrow for the data cost accuracy and nothing else.
      {{{.name = "age", .low = 30, .high = 31}, {.name = "km", .low = 0, .high = 1}},
       RowsAsked()[3]},
  };
  for (const Person& person : kPersons) {
    SCOPED_TRACE(person.who);
    const std::unique_ptr<World> with = World::Make(database, person.added, prepared);
    for (const auto& [columns, rows] : asked) {
      const std::string text = learn::MomentsQuery(columns, rows);
      SCOPED_TRACE(text);
      const Result<plan::PrivatePlan> plan = without->PlanOf(Asking(text));
      ASSERT_TRUE(plan.ok()) << plan.error().public_message;
      ASSERT_EQ(plan->releases.size(), 1u);
      const plan::Release& release = plan->releases[0];
      EXPECT_EQ(release.measures.size(), learn::Pairs(columns).asked().size());
      const auto people =
          static_cast<uint64_t>(plan::UnitsMoved(without->policy().privacy).get_ui());
      const Result<SeenGroups> a = RunExactly(without->engine(), release);
      const Result<SeenGroups> b = RunExactly(with->engine(), release);
      ASSERT_TRUE(a.ok() && b.ok());
      for (const std::string& violation : Violations(release, people, *a, *b)) {
        ADD_FAILURE() << violation;
      }
      // And the declared widths are those of the page: a row moves u by half of its range, with R
      // rows of each person.
      const std::vector<Rational> moved = MeasuredSensitivities(release, *a, *b);
      for (size_t k = 0; k < moved.size(); ++k) {
        EXPECT_LE(moved[k], release.measures[k].sensitivity_l1) << k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, LearnedNeighbours,
                         ::testing::Combine(::testing::Values("club", "replaced", "rho"),
                                            ::testing::Values(false)),
                         [](const auto& tested) { return std::get<0>(tested.param); });
INSTANTIATE_TEST_SUITE_P(Prepared, LearnedNeighbours,
                         ::testing::Combine(::testing::Values("club"), ::testing::Values(true)),
                         [](const auto& tested) { return std::get<0>(tested.param); });

}  // namespace
}  // namespace tacit::neighbours
