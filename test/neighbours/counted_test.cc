#include <gtest/gtest.h>

#include "learn/statistics/cells.h"
#include "measured.h"
#include "plan/price/sensitivity.h"
#include "world.h"

// Statistics of two databases that differ in one person: nothing that leaves differs but the
// numbers that were paid for, and none of the numbers that they are made of moves by more than its
// plan declared.

namespace tacit::neighbours {
namespace {

// Who comes, with extreme values, more rows than any cap, values on no list, and nothing but NULL.
constexpr const char* kNewcomers[] = {
    "INSERT INTO member VALUES (7001, 'z', 2147483647, 1e308, 'X', 2147483647, true, DATE "
    "'5000-01-01', '');"
    "INSERT INTO ride SELECT 8000 + i, 7001, CASE WHEN i % 2 = 0 THEN 1e308 ELSE 'NaN'::DOUBLE "
    "END, 'n', DATE '2024-02-01' FROM range(60) t(i);"
    "INSERT INTO sale SELECT 9000 + i, 7001, 'a', 'shop', 2147483647 FROM range(90) t(i)",
    "INSERT INTO member VALUES (-5, '', -2147483648, '-Infinity', 'nobody', 1, false, DATE "
    "'0001-01-01', '');"
    "INSERT INTO ride SELECT 8000 + i, -5, '-Infinity', 's', NULL FROM range(9) t(i);"
    "INSERT INTO sale SELECT 9000 + i, -5, 'no item', NULL, -2147483648 FROM range(9) t(i)",
    "INSERT INTO member (id) VALUES (7001)",
};

constexpr const char* kStatistics[] = {
    "tacit.histogram('SELECT age FROM member', bins => 6)",
    "tacit.histogram('SELECT km FROM ride')",
    "tacit.top_k('SELECT item FROM sale', k => 2)",
    "tacit.chi_square('SELECT sex, active FROM member')",
    "tacit.chi_square('SELECT m.age, r.km FROM member AS m JOIN ride AS r ON r.member_id = m.id')",
    "tacit.t_test('SELECT weight, sex = ''F'' AS woman FROM member')",
    "tacit.t_test('SELECT km, place = ''n'' AS north FROM ride')",
    "tacit.survival('SELECT age, active FROM member', bins => 10)",
    "tacit.winner('SELECT item FROM sale')",
    "tacit.best_price('SELECT km FROM ride', prices => 5)",
    "tacit.best_price('SELECT age FROM member WHERE level < 3')",
    "tacit.chi_square('SELECT name, age FROM member')",  // refused
    "tacit.best_price('SELECT note, age FROM member')",  // refused
};

gateway::Request Asking(const std::string& text) {
  return {.text = text, .analyst = "", .request_id = "", .wish = {}};
}

class CountedNeighbours : public ::testing::TestWithParam<std::tuple<const char*, bool>> {};

TEST_P(CountedNeighbours, DifferInPaidNumbersAndInNothingElse) {
  const auto& [database, prepared] = GetParam();
  for (const char* newcomer : kNewcomers) {
    SCOPED_TRACE(newcomer);
    const std::unique_ptr<World> fresh = World::Make(database, "", prepared);
    const std::unique_ptr<World> with = World::Make(database, newcomer, prepared);
    size_t answered = 0;
    uint64_t seed = 0;
    for (const char* statistic : kStatistics) {
      const std::string text = std::string("SELECT * FROM ") + statistic;
      SCOPED_TRACE(text);
      ++seed;
      const World::Seen a = fresh->Ask(Asking(text), seed);
      const World::Seen b = with->Ask(Asking(text), seed);
      EXPECT_EQ(a.said, b.said);
      EXPECT_EQ(a.balance, b.balance);
      EXPECT_EQ(a.rows.size(), b.rows.size());
      EXPECT_EQ(fresh->Explain(Asking(text)), with->Explain(Asking(text)));
      answered += a.answered ? 1 : 0;
    }
    EXPECT_GE(answered, 10u);
    EXPECT_EQ(fresh->Ledger(), with->Ledger());
  }
}

TEST_P(CountedNeighbours, NoNumberMovesMoreThanDeclared) {
  const auto& [database, prepared] = GetParam();
  const std::unique_ptr<World> without = World::Make(database, "", prepared);
  const learn::Column age{.name = "age", .low = 0, .high = 120};
  const learn::Column km{.name = "km", .low = 0, .high = 50};
  const std::vector<std::string> asked = {
      learn::CountsQuery({learn::CutNumber(age, true, 6), learn::CutBoolean("active")},
                         "SELECT age, active FROM member"),
      learn::CountsQuery({learn::CutNumber(km, false, 4)}, "SELECT km FROM ride"),
      learn::CountsQuery({learn::CutTexts("item", {"a", "b", "c", "d"})}, "SELECT item FROM sale"),
      learn::GroupsQuery(km, "north", "SELECT km, place = 'n' AS north FROM ride"),
      // Ranges that are too narrow for the data cost accuracy and nothing else.
      learn::GroupsQuery({.name = "age", .low = 30, .high = 31}, "active",
                         "SELECT age, active FROM member"),
  };
  for (const char* newcomer : kNewcomers) {
    SCOPED_TRACE(newcomer);
    const std::unique_ptr<World> with = World::Make(database, newcomer, prepared);
    for (const std::string& text : asked) {
      SCOPED_TRACE(text);
      const Result<plan::PrivatePlan> plan = without->PlanOf(Asking(text));
      ASSERT_TRUE(plan.ok()) << plan.error().public_message;
      ASSERT_EQ(plan->releases.size(), 1u);
      const plan::Release& release = plan->releases[0];
      EXPECT_TRUE(std::holds_alternative<plan::AllGroups>(release.selection));
      const auto people =
          static_cast<uint64_t>(plan::UnitsMoved(without->policy().privacy).get_ui());
      const Result<SeenGroups> a = RunExactly(without->engine(), release);
      const Result<SeenGroups> b = RunExactly(with->engine(), release);
      ASSERT_TRUE(a.ok() && b.ok());
      for (const std::string& violation : Violations(release, people, *a, *b)) {
        ADD_FAILURE() << violation;
      }
      const std::vector<Rational> moved = MeasuredSensitivities(release, *a, *b);
      for (size_t k = 0; k < moved.size(); ++k) {
        EXPECT_LE(moved[k], release.measures[k].sensitivity_l1) << k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, CountedNeighbours,
                         ::testing::Combine(::testing::Values("club", "replaced", "rho"),
                                            ::testing::Values(false)),
                         [](const auto& tested) { return std::string(std::get<0>(tested.param)); });
INSTANTIATE_TEST_SUITE_P(Prepared, CountedNeighbours,
                         ::testing::Combine(::testing::Values("club"), ::testing::Values(true)),
                         [](const auto& tested) { return std::string(std::get<0>(tested.param)); });

}  // namespace
}  // namespace tacit::neighbours
