#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/duckdb/functions/aggregates/count_people.h"
#include "engine/duckdb/prepare/distinct_columns.h"
#include "engine/duckdb/prepare/prepared_copy.h"
#include "harness/golden_case.h"
#include "owner/prepare.h"
#include "world.h"

// What `tacit prepare` stores makes queries faster and nothing else: with the same random tape
// every answer is the same, and one person's rows decide nothing about anybody else's.

namespace tacit::neighbours {
namespace {

using engine::duckdb::Connection;
using engine::duckdb::Database;

std::vector<golden::Case> CasesOf(const std::string& database) {
  std::vector<golden::Case> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TACIT_SQL_TEST_FOLDER)) {
    if (entry.path().extension() != ".test") continue;
    const Result<std::vector<golden::Case>> read = golden::ReadCases(entry.path().string());
    EXPECT_TRUE(read.ok()) << entry.path();
    for (const golden::Case& test : *read) {
      if (test.database == database && !test.refused_by) cases.push_back(test);
    }
  }
  return cases;
}

class Prepared : public ::testing::TestWithParam<std::string> {};

TEST_P(Prepared, AnswersAreTheSameForTheSameTape) {
  // Far more rows than any cap, so that it matters which of them stay.
  const std::string crowd =
      "INSERT INTO ride SELECT 10000 + i, i % 40, (i * 7) % 60 - 5, CASE WHEN i % 5 = 0 THEN 'n' "
      "WHEN i % 5 = 1 THEN 'w' ELSE 's' END, DATE '2024-02-01' + CAST(i % 50 AS INTEGER) FROM "
      "range(400) t(i); INSERT INTO stop SELECT 10000 + i, 10000 + i % 400, i % 70 FROM "
      "range(3000) t(i); INSERT INTO sale SELECT 10000 + i, i % 30, chr(CAST(97 + i % 5 AS "
      "INTEGER)), 'shop' "
      "|| (i "
      "% 7), (i * 5) % 13 FROM range(900) t(i); UPDATE member SET weight = weight + 0.001 * id";
  const std::unique_ptr<World> slow = World::Make(GetParam(), crowd);
  const std::unique_ptr<World> fast = World::Make(GetParam(), crowd, true);
  uint64_t seed = 0;
  size_t answered = 0;
  for (const golden::Case& test : CasesOf(GetParam())) {
    SCOPED_TRACE(test.query);
    const gateway::Request request{.text = test.query, .analyst = "", .request_id = "", .wish = {}};
    const World::Seen a = slow->Ask(request, ++seed);
    const World::Seen b = fast->Ask(request, seed);
    // EXPLAIN says how the data is stored.
    if (test.query.starts_with("EXPLAIN")) continue;
    EXPECT_EQ(a.said, b.said);
    EXPECT_EQ(a.rows, b.rows);
    answered += a.answered ? 1 : 0;
  }
  EXPECT_GT(answered, 0u);
  EXPECT_EQ(slow->Ledger(), fast->Ledger());
}

INSTANTIATE_TEST_SUITE_P(EveryDatabase, Prepared,
                         ::testing::Values("club", "family", "replaced", "rho", "capped",
                                           "capped_rho", "limited", "limited_rho", "required"),
                         [](const auto& of) { return of.param; });

// Where values overflow, a summand and its count are of the same rows, prepared or not.
TEST(PreparedAtTheEdges, AnswersAreTheSameForTheSameTape) {
  const std::unique_ptr<World> slow = World::Make("edges", "");
  const std::unique_ptr<World> fast = World::Make("edges", "", true);
  uint64_t seed = 0;
  for (const golden::Case& test : CasesOf("edges")) {
    SCOPED_TRACE(test.query);
    const gateway::Request request{.text = test.query, .analyst = "", .request_id = "", .wish = {}};
    const World::Seen a = slow->Ask(request, ++seed);
    const World::Seen b = fast->Ask(request, seed);
    EXPECT_TRUE(a.answered);
    EXPECT_EQ(a.said, b.said);
    EXPECT_EQ(a.rows, b.rows);
  }
  EXPECT_GT(seed, 10u);
}

// Every stored row of everybody but member 5, as text, units not numbered.
engine::PackedRows RowsOfOthers(const World& world, const std::string& table,
                                const std::string& unit) {
  const Database database =
      Database::OpenReadOnly(engine::duckdb::PreparedPath(world.DataPath()), {.threads = 1})
          .value();
  Connection connection = database.Connect().value();
  engine::ResultTable rows;
  const auto failure = connection.Query({.sql = "SELECT * EXCLUDE (tacit_number) FROM " + table +
                                                " WHERE " + unit + " <> 5 ORDER BY ALL"},
                                        1'000'000, &rows);
  EXPECT_FALSE(failure) << failure->text;
  EXPECT_FALSE(rows.rows.empty());
  return rows.rows;
}

TEST(PreparedCopy, OnePersonChangesNobodyElsesStoredRows) {
  const std::unique_ptr<World> one = World::Make("club", "", true);
  const std::unique_ptr<World> other = World::Make(
      "club",
      "DELETE FROM stop WHERE ride_id IN (SELECT ride_id FROM ride WHERE member_id = 5);"
      "DELETE FROM ride WHERE member_id = 5; DELETE FROM sale WHERE member_id = 5; DELETE FROM "
      "member WHERE id = 5",
      true);
  for (const auto& [table, unit] :
       {std::pair("member", "id"), std::pair("ride", "tacit_unit"), std::pair("stop", "tacit_unit"),
        std::pair("sale", "tacit_unit")}) {
    EXPECT_EQ(RowsOfOthers(*one, table, unit), RowsOfOthers(*other, table, unit)) << table;
  }
}

TEST(PreparedCopy, HoldsNoRowWithoutAPersonAndNoneBeyondTheCap) {
  const std::unique_ptr<World> world = World::Make(
      "club", "INSERT INTO ride SELECT 5000 + i, 7, i, 'n', NULL FROM range(100) t(i)", true);
  const Database database =
      Database::OpenReadOnly(engine::duckdb::PreparedPath(world->DataPath()), {.threads = 1})
          .value();
  Connection connection = database.Connect().value();
  engine::ResultTable rows;
  const auto failure = connection.Query(
      {.sql = "SELECT count(*) FILTER (WHERE tacit_unit IS NULL OR ride_id IN (900, 901)), "
              "count(*) FILTER (WHERE tacit_unit = 7), max(tacit_rank), "
              "count(*) FILTER (WHERE tacit_grid_km IS DISTINCT FROM CAST(round(greatest(0, "
              "least(50, km)) * 100000) AS BIGINT)) FROM ride"},
      1, &rows);
  ASSERT_FALSE(failure) << failure->text;
  const std::vector<engine::Value> expected = {engine::Value(int64_t{0}), engine::Value(int64_t{4}),
                                               engine::Value(int64_t{4}),
                                               engine::Value(int64_t{0})};
  EXPECT_EQ(rows.rows[0], expected);
}

TEST(PreparedCopy, IsNotUsedOncePolicyKeyVersionOrDataChanged) {
  const std::unique_ptr<World> world = World::Make("club", "", true);
  const std::string path = world->DataPath();
  const auto found = [&](const policy::Policy& policy, const std::string& key) {
    return engine::duckdb::FindPreparedCopy(policy, path, key).has_value();
  };
  EXPECT_TRUE(found(world->policy(), kDeploymentKey));
  EXPECT_FALSE(found(world->policy(), std::string(64, 'b')));
  policy::Policy changed = world->policy();
  changed.data_version = 2;
  EXPECT_FALSE(found(changed, kDeploymentKey));
  changed = world->policy();
  changed.tables[1].rows_per_unit = 5;
  EXPECT_FALSE(found(changed, kDeploymentKey));

  // A change that the writer left in the log alone counts as well.
  { std::ofstream log(path + ".wal"); }
  EXPECT_FALSE(found(world->policy(), kDeploymentKey));
  std::filesystem::remove(path + ".wal");
  EXPECT_TRUE(found(world->policy(), kDeploymentKey));
  {
    const Database database = Database::OpenForImport(path, {.threads = 1}).value();
    Connection connection = database.Connect().value();
    ASSERT_FALSE(connection.Execute("DELETE FROM member WHERE id = 5"));
  }
  EXPECT_FALSE(found(world->policy(), kDeploymentKey));
  ASSERT_TRUE(owner::Prepare(world->policy(), kDeploymentKey, {}).ok());
  EXPECT_TRUE(found(world->policy(), kDeploymentKey));
}

TEST(PreparedCopy, KnowsWhichPublicColumnsHoldNoValueTwice) {
  const auto keys_of = [](const World& world) {
    std::vector<std::string> keys;
    const auto copy =
        engine::duckdb::FindPreparedCopy(world.policy(), world.DataPath(), kDeploymentKey);
    for (const auto& key : copy->unique_columns) keys.push_back(key.table + "." + key.column);
    return keys;
  };
  EXPECT_EQ(keys_of(*World::Make("club", "", true)),
            (std::vector<std::string>{"place.code", "place.label", "place.height"}));
  // NULL matches nothing and may stand twice; a repeated code may not.
  EXPECT_EQ(keys_of(*World::Make("club",
                                 "INSERT INTO place VALUES ('n', 'far north', NULL), ('e', 'east', "
                                 "NULL)",
                                 true)),
            (std::vector<std::string>{"place.label", "place.height"}));
}

// A join with a public table that has a code twice takes one of them, prepared or not.
TEST(PreparedCopy, ARepeatedPublicCodeMultipliesNobody) {
  const std::string twice = "INSERT INTO place VALUES ('n', 'far north', 11), ('s', 'down', 21)";
  const std::unique_ptr<World> slow = World::Make("club", twice);
  const std::unique_ptr<World> fast = World::Make("club", twice, true);
  for (const char* query :
       {"SELECT count(*) FROM ride JOIN place ON ride.place = place.code",
        "SELECT height, count(*), sum(km) FROM ride JOIN place ON ride.place = place.code GROUP BY "
        "height"}) {
    const gateway::Request request{.text = query, .analyst = "", .request_id = "", .wish = {}};
    const World::Seen a = slow->Ask(request, 7);
    const World::Seen b = fast->Ask(request, 7);
    EXPECT_TRUE(a.answered) << a.said;
    EXPECT_EQ(a.rows, b.rows) << query;
  }
}

// Without memory for a single person whose rows a filter thinned out, sets answer.
TEST(PreparedCopy, PeopleAreCountedHoweverManyHaveToBeKept) {
  const std::unique_ptr<World> slow = World::Make("club", "");
  const std::unique_ptr<World> fast = World::Make("club", "", true);
  engine::duckdb::SetKeptPeopleMax(0);
  uint64_t seed = 0;
  for (const char* query :
       {"SELECT day, count(*) FROM ride WHERE km > 3 GROUP BY day",
        "SELECT count(DISTINCT member_id) FROM ride WHERE km > 3",
        "SELECT place, count(DISTINCT member_id) FROM ride WHERE km > 3 GROUP BY place",
        "SELECT m.name, sum(r.km), count(DISTINCT m.id) FILTER (WHERE r.km > 9) FROM ride r JOIN "
        "member m ON r.member_id = m.id WHERE r.km > 3 GROUP BY m.name"}) {
    const gateway::Request request{.text = query, .analyst = "", .request_id = "", .wish = {}};
    const World::Seen a = slow->Ask(request, ++seed);
    const World::Seen b = fast->Ask(request, seed);
    EXPECT_TRUE(a.answered && b.answered) << query << a.said << b.said;
    EXPECT_EQ(a.rows, b.rows) << query;
  }
  engine::duckdb::SetKeptPeopleMax(int64_t{1} << 27);
}

// Ages beyond the bounds, which are stored clamped, and conditions at, inside and beyond the
// bounds, some of which are asked of what is stored.
TEST(PreparedCopy, AFilterAtTheBoundsLetsTheSameRowsThrough) {
  const std::string extremes =
      "INSERT INTO member SELECT 1000 + i, 'Cid', [-9, -1, 0, 1, 2, 60, 118, 119, 120, 121, 122, "
      "500, NULL][i + 1], 70, 'X', 4, true, DATE '2024-01-05', 'usual' FROM range(13) t(i)";
  const std::unique_ptr<World> slow = World::Make("club", extremes);
  const std::unique_ptr<World> fast = World::Make("club", extremes, true);
  std::vector<std::string> filters = {
      "age NOT BETWEEN 1 AND 119", "age + 0 >= 2",         "age > 0.5", "age IN (0, 120)",
      "age >= 2 AND age < 119",    "age > 1 OR age = 120", "age <> 120"};
  for (const char* number : {"-1", "0", "1", "60", "119", "120", "121"}) {
    for (const char* symbol : {"<", "<=", ">", ">=", "="}) {
      filters.push_back(std::string("age ") + symbol + " " + number);
      filters.push_back(std::string(number) + " " + symbol + " age");
    }
    filters.push_back(std::string("age BETWEEN 1 AND ") + number);
    filters.push_back(std::string("age BETWEEN ") + number + " AND 119");
  }
  uint64_t seed = 0;
  for (const std::string& filter : filters) {
    const gateway::Request request{
        .text =
            "SELECT count(*), sum(age), avg(age), count(age), variance(age), count(age) FILTER "
            "(WHERE age > 2), percentile_disc(0.5) WITHIN GROUP (ORDER BY age) FROM member "
            "WHERE " +
            filter,
        .analyst = "",
        .request_id = "",
        .wish = {}};
    const World::Seen a = slow->Ask(request, ++seed);
    const World::Seen b = fast->Ask(request, seed);
    EXPECT_TRUE(a.answered) << filter << a.said;
    EXPECT_EQ(a.rows, b.rows) << filter;
  }
}

// Whether a sale's number stands twice is somebody's affair: it decides how a join is run, and
// nothing that leaves tells.
TEST(PreparedCopy, KnowsWhichNumbersOfPeoplesRowsRepeatAndTellsNobody) {
  const std::string twice = "INSERT INTO sale VALUES (7, 40, 'a', 'old', 3)";
  const auto marked = [](const World& world) {
    const Database database =
        Database::OpenReadOnly(engine::duckdb::PreparedPath(world.DataPath()), {.threads = 1})
            .value();
    Connection connection = database.Connect().value();
    return engine::duckdb::ReadDistinctColumns(connection);
  };
  const std::unique_ptr<World> distinct = World::Make("club", "", true);
  const std::unique_ptr<World> repeated = World::Make("club", twice, true);
  const std::unique_ptr<World> unprepared = World::Make("club", twice);
  EXPECT_TRUE(marked(*distinct).contains({.table = "sale", .column = "sale_id"}));
  EXPECT_FALSE(marked(*repeated).contains({.table = "sale", .column = "sale_id"}));
  const std::string question =
      "SELECT count(*), sum(b.amount) FROM sale a JOIN sale b ON a.member_id = b.member_id AND "
      "a.sale_id = b.sale_id";
  const auto ask = [](World& world, const std::string& text) {
    return world.Ask({.text = text, .analyst = "", .request_id = "", .wish = {}}, 3);
  };
  const World::Seen explained = ask(*distinct, "EXPLAIN " + question);
  EXPECT_TRUE(explained.answered);
  EXPECT_EQ(explained.rows, ask(*repeated, "EXPLAIN " + question).rows);
  EXPECT_EQ(ask(*repeated, question).rows, ask(*unprepared, question).rows);
  EXPECT_NE(ask(*distinct, question).rows, ask(*repeated, question).rows);
}

TEST(PreparedCopy, ReplacedBetweenPlanAndOpeningIsRefusedBeforeTheCharge) {
  const std::unique_ptr<World> world = World::Make("club", "", true);
  ASSERT_TRUE(owner::Prepare(world->policy(), kDeploymentKey, {}).ok());
  const World::Seen seen = world->Ask(
      {.text = "SELECT count(*) FROM ride", .analyst = "", .request_id = "", .wish = {}}, 1);
  EXPECT_FALSE(seen.answered);
  EXPECT_EQ(world->Ledger().find("charge"), std::string::npos);
}

}  // namespace
}  // namespace tacit::neighbours
