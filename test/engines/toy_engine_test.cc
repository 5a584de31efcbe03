#include "toy_engine.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/golden_case.h"
#include "measured.h"
#include "world.h"

// How little an engine is: the toy, of fewer than 300 lines, answers the straight cases of test/sql
// as DuckDB does, from the same trees. It takes what needs its one table and the words it has.
namespace tacit::toy {
namespace {

using neighbours::RunExactly;
using neighbours::SeenGroups;
using neighbours::World;

// The table as a file, but for the last rows.
std::string Exported(World& world, const std::string& table, size_t without) {
  const std::string path = std::filesystem::path(world.DataPath()).parent_path() / (table + ".csv");
  const engine::duckdb::Database database =
      engine::duckdb::Database::OpenReadOnly(world.DataPath(), {}).value();
  engine::duckdb::Connection connection = database.Connect().value();
  engine::ResultTable rows;
  EXPECT_FALSE(connection.Query({.sql = "SELECT * FROM " + table}, 100'000, &rows));
  std::ofstream file(path);
  for (const engine::ResultColumn& column : rows.columns) file << column.name << ",";
  file << "\n";
  size_t left = rows.rows.size() - without;
  for (const std::vector<engine::Value>& row : rows.rows) {
    if (left-- == 0) break;
    for (const engine::Value& value : row) file << engine::ToText(value) << ",";
    file << "\n";
  }
  return path;
}

std::vector<plan::Release> ReleasesOfClub(const World& world) {
  std::vector<plan::Release> releases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TACIT_SQL_TEST_FOLDER)) {
    if (entry.path().extension() != ".test") continue;
    const std::vector<golden::Case> cases = golden::ReadCases(entry.path().string()).value();
    for (const golden::Case& test : cases) {
      if (test.database != "club" || test.refused_by) continue;
      const auto plan =
          world.PlanOf({.text = test.query, .analyst = "", .request_id = "", .wish = {}});
      if (!plan.ok()) continue;
      for (const plan::Release& release : plan->releases) {
        if (neighbours::StandsAlone(release)) releases.push_back(release);
      }
    }
  }
  return releases;
}

TEST(ToyEngine, AnswersTheStraightCasesAsDuckdbDoes) {
  const std::unique_ptr<World> world = World::Make("club", "");
  ToyEngine toy(Exported(*world, "member", 0), *world->schema().Find("member"));
  ToyEngine fewer(Exported(*world, "member", 1), *world->schema().Find("member"));
  size_t answered = 0;
  size_t differ = 0;
  for (const plan::Release& release : ReleasesOfClub(*world)) {
    const Result<SeenGroups> given = RunExactly(toy, release);
    if (!given.ok()) continue;
    ++answered;
    const Result<SeenGroups> expected = RunExactly(world->engine(), release);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ(given->groups == expected->groups, true) << release.measures[0].text;
    differ += RunExactly(fewer, release)->groups != expected->groups ? 1 : 0;
  }
  std::printf("%zu releases, of which %zu see one person less\n", answered, differ);
  EXPECT_GE(answered, 70u);
  EXPECT_GE(differ, 45u);  // the comparison can fail
}

TEST(ToyEngine, DoesNotTakeWhatItHasNoWordsFor) {
  const std::unique_ptr<World> world = World::Make("club", "");
  ToyEngine toy(Exported(*world, "member", 0), *world->schema().Find("member"));
  for (const char* query : {"SELECT sum(age % 7) FROM member", "SELECT count(*) FROM ride",
                            "SELECT count(*) FROM member WHERE joined > DATE '2024-02-01'"}) {
    const auto plan = world->PlanOf({.text = query, .analyst = "", .request_id = "", .wish = {}});
    ASSERT_TRUE(plan.ok()) << query;
    EXPECT_FALSE(toy.Prepare(*plan).ok()) << query;
  }
}

}  // namespace
}  // namespace tacit::toy
