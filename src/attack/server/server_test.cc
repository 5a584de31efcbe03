#include "attack/server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "attack/scene/scene.h"
#include "attack/server/naive_server.h"
#include "attack/server/pg_server.h"

namespace tacit::attack {
namespace {

using ::testing::HasSubstr;
using Scope = Question::Scope;

People FourPeople() {
  People people{.table = "t", .secret = "s = 1", .shown = "s"};
  people.id_column = "id";
  people.pins = {"1", "2", "3", "4"};
  people.has_secret = {true, false, true, true};
  people.others = 10;
  people.others_with_secret = 7;
  return people;
}

double Ask(NaiveSettings settings, const Question& question) {
  const People people = FourPeople();
  return *MakeNaiveServer(settings, people, Dice(1))->Ask(question)->count;
}

TEST(Servers, CountThePeopleNamedOrEverybodyElse) {
  EXPECT_EQ(Ask({}, {Scope::kOnly, {0, 1}}), 1);
  EXPECT_EQ(Ask({}, {Scope::kAllBut, {0, 1}}), 9);
  EXPECT_EQ(Ask({}, {Scope::kAllBut, {}}), 10);
  EXPECT_EQ(Ask({.kind = NaiveKind::kRounding, .step = 4}, {Scope::kAllBut, {0}}), 8);
}

TEST(Servers, SmallCountsAreRefusedAndOthersExact) {
  const People people = FourPeople();
  const NaiveSettings settings{.kind = NaiveKind::kSmallCounts, .threshold = 3};
  const std::unique_ptr<Server> server = MakeNaiveServer(settings, people, Dice(1));
  EXPECT_FALSE(server->Ask({Scope::kOnly, {0, 2}})->count);
  EXPECT_EQ(server->Ask({Scope::kOnly, {0, 2, 3}})->count, 3);
}

TEST(Servers, AConstantOffsetStaysAndBoundedNoiseDoesNot) {
  const People people = FourPeople();
  const auto differ = [&](NaiveKind kind) {
    const std::unique_ptr<Server> server =
        MakeNaiveServer({.kind = kind, .bound = 1000}, people, Dice(1));
    const double first = *server->Ask({Scope::kAllBut, {}})->count;
    return *server->Ask({Scope::kAllBut, {}})->count != first;
  };
  EXPECT_FALSE(differ(NaiveKind::kConstant));
  EXPECT_TRUE(differ(NaiveKind::kBounded));
}

TEST(Servers, QuestionsAreWrittenAsSql) {
  People people = FourPeople();
  EXPECT_EQ(SqlOf({Scope::kOnly, {0, 2}}, people),
            "SELECT count(*) FROM t WHERE s = 1 AND id IN (1, 3)");
  EXPECT_EQ(SqlOf({Scope::kAllBut, {}}, people), "SELECT count(*) FROM t WHERE s = 1");
  people.id_column = "";
  people.pins = {"a = 1", "a = 2", "a = 3", "a = 4"};
  EXPECT_EQ(SqlOf({Scope::kAllBut, {1}}, people),
            "SELECT count(*) FROM t WHERE s = 1 AND ((a = 2)) IS NOT TRUE");
}

TEST(Servers, TargetsAreFairCoins) {
  Dice dice(3);
  const People people = InventedPeople(20000, 0.1, dice);
  const std::vector<uint32_t> targets = DrawTargets(people, 2000, dice);
  ASSERT_EQ(targets.size(), 2000u);
  int with = 0;
  for (const uint32_t target : targets) with += people.has_secret[target] ? 1 : 0;
  EXPECT_NEAR(with, 1000, 112);  // 5 deviations: a false alarm in a million
}

TEST(Servers, TheBoundOnAGuessIsThatOfRandomizedResponse) {
  EXPECT_NEAR(GuessBoundUp({.epsilon = std::log(3.0)}), 0.75, 1e-12);
  EXPECT_NEAR(GuessBoundUp({}), 0.5, 1e-12);
  EXPECT_LE(GuessBoundUp({.epsilon = 1000}), 1);
  EXPECT_GT(GuessBoundUp({.rho = 0.02, .zcdp = true}), 0.5);
  EXPECT_LT(GuessBoundUp({.rho = 50, .zcdp = true}), 1 + 1e-9);
}

TEST(Servers, TacitChargesReplaysAndStopsAtItsBudget) {
  SceneSettings settings;
  settings.servers = {"tacit"};
  settings.epsilon = Epsilon(1, 1);
  const Result<Scene> scene = Scene::Invented(200, 0.5, settings, 1);
  ASSERT_TRUE(scene.ok()) << scene.error().public_message;
  const std::unique_ptr<Server> server = scene->Make("tacit", Dice(1)).value();
  const double first = *server->Ask({Scope::kAllBut, {}})->count;
  EXPECT_EQ(*server->Ask({Scope::kAllBut, {}})->count, first);
  EXPECT_NEAR(server->spent()->epsilon, 1, 1e-9);
  EXPECT_TRUE(server->Ask({Scope::kAllBut, {1}})->count);
  EXPECT_TRUE(server->Ask({Scope::kAllBut, {2}})->count);
  const Result<Reply> refused = server->Ask({Scope::kAllBut, {3}});
  ASSERT_TRUE(refused.ok());
  EXPECT_FALSE(refused->count);
  EXPECT_TRUE(server->Ask({Scope::kAllBut, {}})->count);  // a stored answer stays free
  EXPECT_NEAR(server->spent()->epsilon, 3, 1e-9);
}

TEST(Servers, AnUnknownServerAndADeadConnectionAreErrors) {
  SceneSettings settings;
  settings.servers = {"guess"};
  const Result<Scene> unknown = Scene::Invented(20, 0.5, settings, 1);
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().hint, HasSubstr("small-counts"));
  const People people = FourPeople();
  const Result<std::unique_ptr<Server>> nobody =
      MakePgServer({.conninfo = "host=/nowhere-at-all dbname=x"}, people);
  ASSERT_FALSE(nobody.ok());
  EXPECT_EQ(nobody.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace tacit::attack
