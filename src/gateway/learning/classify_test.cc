#include "gateway/learning/classify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "answer/shown/margins.h"
#include "gateway/learning/cell_question.h"
#include "gateway/testing/cells_gateway.h"
#include "learn/cells/fit.h"
#include "noise/release.h"

namespace tacit::gateway::learning {
namespace {

using ::testing::HasSubstr;

std::string TaskOf(const std::string& task, const std::string& rows,
                   const std::string& options = ", target => 'member'") {
  return "SELECT * FROM tacit." + task + "('" + rows + "'" + options + ")";
}
constexpr char kCellRowsAsked[] = "SELECT member, age, town FROM people";
constexpr const char* kCellTasks[] = {"naive_bayes", "svm", "logistic_regression", "tree",
                                      "boosted_trees"};

class ClassifyTest : public testing::CellsGateway {
 protected:
  Result<LearnedCells> LearnAt(const std::string& task, const Rational& epsilon,
                               const std::string& rows = kCellRowsAsked) {
    Services services = ServicesNow();
    const Request request = At("", epsilon);
    return LearnCells({.task = task, .rows = rows, .options = {{"target", "member"}}}, request,
                      services);
  }
};

TEST_F(ClassifyTest, AtAPriceThatLeavesNoNoiseItCountsWhatTheEngineCounts) {
  const Result<LearnedCells> learned = LearnAt("naive_bayes", Rational(100'000'000));
  ASSERT_TRUE(learned.ok()) << learned.error().public_message << learned.error().private_detail;
  // Whoever is nowhere is left out.
  EXPECT_NEAR(learned->model.fit.rows, 6000, 0.5);
  const Result<answer::Answer> counted =
      Ask(At("SELECT count(*) FROM people WHERE member AND town = 'west'", Rational(100'000'000)));
  const Result<answer::Answer> all =
      Ask(At("SELECT count(*) FROM people WHERE member AND town IN ('north', 'south', 'west')",
             Rational(100'000'000)));
  ASSERT_TRUE(counted.ok() && all.ok());
  const double share = answer::FiniteNumber(counted->rows[0][0]).value() /
                       answer::FiniteNumber(all->rows[0][0]).value();
  EXPECT_EQ(learned->model.features[1].LabelOf(2), "west");
  EXPECT_NEAR(std::exp(learned->model.fit.weights[1][1][2]), share, 1e-6);
}

TEST_F(ClassifyTest, EveryTaskIsChargedOnceAndThenFree) {
  Rational spent = 0;
  for (const std::string task : kCellTasks) {
    const std::string call = TaskOf(task, kCellRowsAsked);
    const Result<answer::Answer> told = Ask(At("EXPLAIN " + call, 20, "ana"));
    ASSERT_TRUE(told.ok()) << told.error().public_message;
    EXPECT_EQ(SpentNow().epsilon, spent);
    const Result<answer::Answer> first = Ask(At(call, 20, "ana"));
    ASSERT_TRUE(first.ok()) << task << first.error().public_message;
    spent += 20;
    EXPECT_EQ(SpentNow().epsilon, spent) << task;
    EXPECT_EQ(SpentNow().delta, 0);
    EXPECT_FALSE(first->rows.empty());
    const int runs = engine_->runs;
    const Result<answer::Answer> again = Ask(At(call, 20, "ana"));
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->rows == first->rows);
    EXPECT_TRUE(again->privacy.cost.IsZero());
    EXPECT_EQ(engine_->runs, runs);
    EXPECT_EQ(SpentNow().epsilon, spent);
  }
  // Bob has not paid: the stored model is charged to him, and costs the dataset nothing.
  const Result<answer::Answer> bob = Ask(At(TaskOf("svm", kCellRowsAsked), 20, "bob"));
  ASSERT_TRUE(bob.ok());
  EXPECT_FALSE(bob->privacy.cost.IsZero());
  EXPECT_EQ(SpentNow().epsilon, spent);
}

TEST_F(ClassifyTest, UnderZcdpItCostsRho) {
  Make("replace_one", "zcdp");
  const Result<LearnedCells> learned = LearnAt("logistic_regression", Rational(1));
  ASSERT_TRUE(learned.ok()) << learned.error().public_message;
  EXPECT_EQ(SpentNow().rho, Rational(1, 2));
  EXPECT_EQ(learned->model.privacy.accounting, "zcdp");
  EXPECT_EQ(learned->model.privacy.neighbours, "replace_one");
}

TEST_F(ClassifyTest, ExplainingSaysTheRoundsAndTheirNoise) {
  const int runs = engine_->runs;
  const Result<answer::Answer> told = Ask(At("EXPLAIN " + TaskOf("svm", kCellRowsAsked), 1));
  ASSERT_TRUE(told.ok()) << told.error().public_message;
  std::string text;
  for (const std::vector<engine::Value>& row : told->rows)
    text += std::get<std::string>(row[0]) + "\n";
  EXPECT_THAT(text, HasSubstr("price: epsilon 1"));
  EXPECT_THAT(text, HasSubstr("rows by pairs of cells"));
  EXPECT_THAT(text, HasSubstr("step 8 of 8"));
  EXPECT_THAT(text, HasSubstr("discrete Laplace noise"));
  EXPECT_THAT(text, HasSubstr("at most 3 of the rows aggregated"));
  EXPECT_EQ(engine_->runs, runs);
}

TEST_F(ClassifyTest, RefusesBeforeAnythingIsCharged) {
  const std::string target = ", target => 'member'";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {TaskOf("naive_bayes", "SELECT member, free FROM people"), "free has no public range"},
      {TaskOf("naive_bayes", "SELECT member, name FROM people"), "name has no public list"},
      {TaskOf("svm", "SELECT age, member FROM people", ", target => 'age'"), "age is a number"},
      {TaskOf("svm", "SELECT town, age FROM people", ", target => 'town'"), "has 3 classes"},
      {TaskOf("tree", "SELECT member, age FROM people", ""), "needs to know what to explain"},
      {TaskOf("tree", "SELECT member, age FROM people", target + ", depth => 4"),
       "no option depth"},
      {TaskOf("svm", "SELECT member, age FROM people", target + ", bins => 1"), "bins is '1'"},
      {TaskOf("svm", "SELECT member, age FROM people", target + ", bins => ''"), "bins is ''"},
      {TaskOf("svm", "SELECT member FROM people"), "nothing to explain member by"},
      {TaskOf("svm", "SELECT count(*) > 3 AS member FROM people"), "gives none"},
      {TaskOf("svm", "SELECT x = 1 AS member, x FROM places"), "gives none"},
      {TaskOf("svm", "SELECT member, age > (SELECT avg(age) FROM people) AS old FROM people"),
       "made of other numbers"},
      {TaskOf("svm", "SELECT member, id FROM people"), "id"},
      {"SELECT * FROM tacit.svm()", "takes the rows to learn from first"},
  };
  for (const auto& [text, why] : cases) {
    for (const char* explain : {"", "EXPLAIN "}) {
      const Result<answer::Answer> answer = Ask(At(explain + text, 1));
      ASSERT_FALSE(answer.ok()) << text;
      EXPECT_THAT(answer.error().public_message, HasSubstr(why)) << text;
    }
  }
  Request wish = At(TaskOf("svm", kCellRowsAsked), 1);
  wish.wish.epsilon.reset();
  wish.wish.error = plan::ErrorWish{.named = {}, .others = plan::ErrorTarget{Rational(5)}};
  EXPECT_THAT(Ask(wish).error().public_message, HasSubstr("at a price"));
  EXPECT_EQ(SpentNow().epsilon, 0);
}

TEST_F(ClassifyTest, AnEngineThatFailsLeavesTheChargeAndSaysNoRow) {
  engine_->fails_to_prepare = true;
  EXPECT_FALSE(Ask(At(TaskOf("tree", kCellRowsAsked), 1)).ok());
  EXPECT_EQ(SpentNow().epsilon, 0);
  engine_->fails_to_prepare = false;
  engine_->fails_to_run = true;
  const Result<answer::Answer> failed = Ask(At(TaskOf("tree", kCellRowsAsked), 1));
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().public_message.find("Ann"), std::string::npos);
  EXPECT_EQ(SpentNow().epsilon, 1);
}

TEST_F(ClassifyTest, NoRowsAndOneClassAreAnsweredInTheSameShape) {
  std::vector<size_t> shapes;
  for (const std::string task : {"naive_bayes", "svm", "logistic_regression"}) {
    shapes.push_back(Ask(At(TaskOf(task, kCellRowsAsked), 1))->rows.size());
  }
  for (const char* extra : {"DELETE FROM people", "UPDATE people SET member = true",
                            "UPDATE people SET age = NULL", "UPDATE people SET age = 5"}) {
    Make("add_remove", "pure", extra);
    size_t i = 0;
    for (const std::string task : {"naive_bayes", "svm", "logistic_regression"}) {
      const Result<answer::Answer> answer = Ask(At(TaskOf(task, kCellRowsAsked), 1));
      ASSERT_TRUE(answer.ok()) << extra << answer.error().public_message;
      EXPECT_EQ(answer->rows.size(), shapes[i++]) << extra;
    }
    for (const std::string task : {"tree", "boosted_trees"}) {
      EXPECT_TRUE(Ask(At(TaskOf(task, kCellRowsAsked), 1)).ok()) << extra;
    }
  }
}

TEST_F(ClassifyTest, AHoldoutIsScoredWithinTheSameCharge) {
  const std::string option = ", target => 'member', holdout => 0.25";
  for (const std::string task : kCellTasks) {
    const std::string call = TaskOf(task, kCellRowsAsked, option);
    const Rational before = SpentNow().epsilon;
    const Result<answer::Answer> answer = Ask(At(call, 100, "ana"));
    ASSERT_TRUE(answer.ok()) << task << answer.error().public_message;
    EXPECT_EQ(SpentNow().epsilon - before, 100) << task;
    // Rows, right, commonest class: a quarter of the 6,000 whose town is listed, and nine of ten.
    const size_t at = task == "naive_bayes" ? 3 : task == "tree" ? 3 : 2;
    EXPECT_NEAR(answer::FiniteNumber(answer->rows[0][at]).value(), 1500, 150) << task;
    EXPECT_GT(answer::FiniteNumber(answer->rows[1][at]).value(), 0.82) << task;
    EXPECT_LT(answer::FiniteNumber(answer->rows[1][at]).value(), 0.95) << task;
    EXPECT_LT(answer::FiniteNumber(answer->rows[2][at]).value(), 0.62) << task;
    const Result<answer::Answer> again = Ask(At(call, 100, "ana"));
    EXPECT_TRUE(again->rows == answer->rows);
    EXPECT_EQ(SpentNow().epsilon - before, 100) << task;
  }
  const Result<answer::Answer> told =
      Ask(At("EXPLAIN " + TaskOf("svm", kCellRowsAsked, option), 1, "ana"));
  ASSERT_TRUE(told.ok());
  std::string text;
  for (const std::vector<engine::Value>& row : told->rows) text += std::get<std::string>(row[0]);
  EXPECT_THAT(text, HasSubstr("rows held out, by class"));
  for (const char* wrong : {"0", "1", "-0.2", "'a fifth'", "2"}) {
    EXPECT_THAT(Ask(At(TaskOf("svm", kCellRowsAsked,
                              std::string(", target => 'member', holdout => ") + wrong),
                       1))
                    .error()
                    .public_message,
                HasSubstr("holdout is '"));
  }
}

// The unit is hidden, and may join people's rows and group them all the same.
TEST_F(ClassifyTest, RowsMayBeJoinedByWhatIsHidden) {
  for (const char* rows :
       {"SELECT a.member, b.age FROM people AS a JOIN people AS b ON a.id = b.id",
        "SELECT old > 50 AS member, 1 = young AS one FROM (SELECT id, max(age) AS old, "
        "least(greatest(min(age), 0), 1) AS young FROM people GROUP BY id) AS each"}) {
    EXPECT_TRUE(Ask(At(TaskOf("svm", rows), 1)).ok())
        << Ask(At(TaskOf("svm", rows), 1)).error().public_message;
  }
  EXPECT_THAT(
      Ask(At(TaskOf("svm",
                    "SELECT a.member, b.id AS age FROM people AS a JOIN people AS b ON a.id "
                    "= b.id"),
             1))
          .error()
          .public_message,
      HasSubstr("id"));
}

// A person's rows are all on one side, and both sides together are what they are without a holdout.
TEST_F(ClassifyTest, APersonIsOnOneSideOfTheHoldout) {
  Make(
      "add_remove", "pure",
      "INSERT INTO people SELECT 9000 + i // 3, 20 + i % 3, true, 0, 'west', 'Bob' FROM range(900) "
      "t(i)");
  Services services = ServicesNow();
  const Request request = At("", 1);
  RowsToLearn rows = ReadRows(kCellRowsAsked, services).value();
  const std::vector<learn::CellColumn> columns = {
      {.name = "member", .kind = learn::CellKind::kBoolean},
      learn::BinsOf("age", 0, 120, true, 64)};
  const CellQuestion question = AskForCells(columns, rows, request, services, true).value();
  struct Look {
    const CellQuestion& question;
    std::string_view key;
    std::map<std::string, std::set<bool>> Apply(const engine::ExactGroups& groups, Entropy&) const {
      std::map<std::string, std::set<bool>> sides;
      const learn::CellRows found =
          RowsIn(groups, question, HeldOutPeople{.share = Rational(1, 4), .deployment_key = key});
      for (size_t i = 0; i < found.size(); ++i) {
        sides[std::get<std::string>(groups.Key(i, *question.unit_key))].insert(found.IsHeldOut(i));
      }
      return sides;
    }
  };
  plan::PrivatePlan plan;
  plan.releases = {question.release};
  ASSERT_TRUE(engine_->Prepare(plan).ok());
  std::vector<engine::Value> parameters;
  if (!question.release.parameters.empty()) parameters.emplace_back(std::string(key_));
  const auto sides = noise::Release(Look{question, key_},
                                    engine_->Run(question.release, parameters).value(), entropy_)
                         .value();
  EXPECT_EQ(sides.size(), 8300u);
  size_t held = 0;
  for (const auto& [unit, of] : sides) {
    EXPECT_EQ(of.size(), 1u) << unit;
    held += of.contains(true) ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(held), 8300 / 4.0, 200);
}

// What the mechanism is given of two databases that differ in one person of far more rows than the
// cap: the sums of any round differ by no more than it was priced for, because the rows do.
TEST_F(ClassifyTest, OnePersonChangesNoMoreRowsThanTheStepSays) {
  Services services = ServicesNow();
  const Request request = At("", 1);
  RowsToLearn rows = ReadRows(kCellRowsAsked, services).value();
  const std::vector<learn::CellColumn> columns = {
      {.name = "member", .kind = learn::CellKind::kBoolean},
      learn::BinsOf("age", 0, 120, true, 16)};
  const CellQuestion question = AskForCells(columns, rows, request, services).value();
  EXPECT_EQ(question.step.rows, 3);
  // How the counts of cells moved, in L1: read by a mechanism without noise, for this test alone.
  struct Look {
    const CellQuestion& question;
    std::map<std::pair<int, int>, int64_t> Apply(const engine::ExactGroups& groups,
                                                 Entropy&) const {
      std::map<std::pair<int, int>, int64_t> counts;
      const learn::CellRows found = RowsIn(groups, question);
      for (size_t i = 0; i < found.size(); ++i) {
        counts[{found.Codes(i)[0], found.Codes(i)[1]}] += found.Weight(i);
      }
      return counts;
    }
  };
  const auto counts = [&] {
    plan::PrivatePlan plan;
    plan.releases = {question.release};
    EXPECT_TRUE(engine_->Prepare(plan).ok());
    std::vector<engine::Value> parameters;
    if (!question.release.parameters.empty()) parameters.emplace_back(std::string(key_));
    return noise::Release(Look{question}, engine_->Run(question.release, parameters).value(),
                          entropy_)
        .value();
  };
  const auto before = counts();
  Make("add_remove", "pure",
       "INSERT INTO people SELECT 9000, 20 + i, i % 2 = 0, 0, 'west', 'Bob' FROM range(90) t(i)");
  auto moved = counts();
  for (const auto& [cell, count] : before) moved[cell] -= count;
  int64_t l1 = 0;
  for (const auto& [cell, count] : moved) l1 += std::abs(count);
  EXPECT_EQ(l1, 3);
}

}  // namespace
}  // namespace tacit::gateway::learning
