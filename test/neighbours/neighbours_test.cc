#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "case_request.h"
#include "engine/duckdb/statement/statements.h"
#include "harness/golden_case.h"
#include "measured.h"
#include "plan/price/sensitivity.h"
#include "plan/tree/walk.h"
#include "world.h"

// On two databases that differ in one person, with the same random tape, nothing that leaves may
// differ but released numbers and what was paid for: texts, columns, types, notices, errors, price,
// ledger, and under public keys the groups. And no release moves by more than its plan declared.

namespace tacit::neighbours {
namespace {

// One step between neighbours: what one database has and the other has not.
struct Step {
  std::string who;
  std::string in_one;
  std::string in_the_other;
};

const std::vector<Step>& Steps() {
  static const std::vector<Step> steps = {
      {"an ordinary member, removed", "",
       "DELETE FROM stop WHERE ride_id IN (SELECT ride_id FROM ride WHERE member_id = 5);"
       "DELETE FROM ride WHERE member_id = 5; DELETE FROM sale WHERE member_id = 5; DELETE FROM "
       "member WHERE id = 5"},
      {"extreme values and far more rows than any cap",
       "INSERT INTO member VALUES (7001, repeat('z', 100000), 2147483647, 1e308, 'X', 2147483647, "
       "true, DATE '5000-01-01', '');"
       "INSERT INTO ride SELECT 8000 + i, 7001, CASE WHEN i % 2 = 0 THEN 1e308 ELSE 'NaN'::DOUBLE "
       "END, 'n', DATE '2024-02-01' FROM range(60) t(i);"
       "INSERT INTO stop SELECT 9000 + i, 8000 + i % 60, -2147483648 FROM range(300) t(i);"
       "INSERT INTO sale SELECT 9000 + i, 7001, CASE i % 5 WHEN 0 THEN 'a' WHEN 1 THEN 'b' WHEN 2 "
       "THEN 'c' WHEN 3 THEN 'd' ELSE 'no key' END, 'shop' || (i % 9), 2147483647 FROM range(90) "
       "t(i)",
       ""},
      {"the other extreme",
       "INSERT INTO member VALUES (-2147483648, '', -2147483648, '-Infinity', 'F', 1, false, DATE "
       "'0001-01-01', chr(10));"
       "INSERT INTO ride SELECT 8000 + i, -2147483648, '-Infinity', 's', NULL FROM range(9) t(i);"
       "INSERT INTO sale SELECT 9000 + i, -2147483648, 'd', NULL, 10 FROM range(9) t(i)",
       ""},
      {"nothing but NULL",
       "INSERT INTO member (id) VALUES (7001); INSERT INTO ride (ride_id, member_id) VALUES (8000, "
       "7001), (8001, 7001); INSERT INTO stop (stop_id, ride_id) VALUES (9000, 8000)",
       ""},
      {"the only member of every group",
       "INSERT INTO member VALUES (7001, 'Zed', 119, 149.9, 'not a key', 4, NULL, DATE "
       "'2024-06-01', 'only one'); INSERT INTO ride VALUES (8000, 7001, 37.5, 'w', DATE "
       "'2031-01-01')",
       ""},
      {"a row without a person",
       "INSERT INTO member (name, age, sex) VALUES ('nobody', 37, 'M'); INSERT INTO ride VALUES "
       "(8000, 123456, 1, 'n', NULL)",
       ""},
      {"a vote", "INSERT INTO vote VALUES (2147483647, 'much')", ""},
  };
  return steps;
}

bool IsLongRun() { return std::getenv("TACIT_LONG") != nullptr; }

// Queries beside those of test/sql: each once made some system say something about a row.
const std::vector<std::string>& ProvokingQueries() {
  static const std::vector<std::string> queries = {
      "SELECT sum(least(greatest(1 / (age - 119), 0), 1)) FROM member",
      "SELECT count(*) FROM member WHERE 1 / (age - 37) > 0",
      "SELECT count(sqrt(age - 50)), count(ln(age)) FROM member",
      "SELECT sum(least(greatest(age * age * age * age, 0), 10)) FROM member",
      "SELECT count(*) FROM member WHERE CAST(name AS integer) = 3",
      "SELECT avg(weight), avg(age) FROM member WHERE name = 'Zed'",
      "SELECT name, count(*), avg(age) FROM member GROUP BY name",
      "SELECT note, sum(age) FROM member GROUP BY note ORDER BY 2 DESC LIMIT 1",
      "SELECT count(*), sum(km) FROM ride",
      "SELECT place, count(*), sum(km) FROM ride GROUP BY place",
      "SELECT day, count(*) FROM ride GROUP BY day",
      "SELECT age / 10 AS decade, count(*) FROM member GROUP BY 1",
      "SELECT DISTINCT name FROM member",
      "SELECT count(*) FROM member WHERE length(name) > 99999",
      "SELECT count(*) / (SELECT count(*) FROM member WHERE age > 200) FROM member",
      "SELECT sum(age) FROM member WHERE age > (SELECT avg(age) FROM member)",
      "SELECT age FROM member",
      "SELECT count(*) FROM member WHERE random() < 0.5",
      "SELECT count(*) FRM member",
      "SELECT count(*) FROM nowhere",
  };
  return queries;
}

std::vector<golden::Case> AllCases() {
  std::vector<golden::Case> cases;
  const std::filesystem::path folder(TACIT_SQL_TEST_FOLDER);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".test") continue;
    const Result<std::vector<golden::Case>> read = golden::ReadCases(entry.path().string());
    EXPECT_TRUE(read.ok()) << entry.path();
    if (read.ok()) cases.insert(cases.end(), read->begin(), read->end());
  }
  for (const std::string& query : ProvokingQueries()) {
    golden::Case provoking;
    provoking.database = "club";
    provoking.query = query;
    cases.push_back(provoking);
  }
  return cases;
}

// Whether the number of rows is public: every group shown, and nothing above chooses among them.
bool HasFixedRows(const plan::PrivatePlan& plan) {
  for (const plan::Release& release : plan.releases) {
    if (!std::holds_alternative<plan::AllGroups>(release.selection)) return false;
  }
  for (const char* chooser : {"WHERE", "HAVING", "LIMIT", "JOIN", "DISTINCT", "GROUP BY"}) {
    if (plan.post_sql.find(chooser) != std::string::npos) return false;
  }
  return true;
}

std::string TextOf(const plan::Release& release) {
  return engine::duckdb::StatementsOf(release.exact)->sql;
}

void CompareReleases(const plan::PrivatePlan& plan, World& one, World& other) {
  const auto people = static_cast<uint64_t>(plan::UnitsMoved(one.policy().privacy).get_ui());
  for (const plan::Release& release : plan.releases) {
    if (!StandsAlone(release)) continue;
    const Result<SeenGroups> a = RunExactly(one.engine(), release);
    const Result<SeenGroups> b = RunExactly(other.engine(), release);
    ASSERT_TRUE(a.ok() && b.ok()) << TextOf(release);
    for (const std::string& violation : Violations(release, people, *a, *b)) {
      ADD_FAILURE() << violation << "\n" << TextOf(release);
    }
  }
}

// Returns whether the query was answered.
bool Compare(const golden::Case& test, World& one, World& other, uint64_t seed) {
  const gateway::Request request = RequestOf(test);
  const World::Seen a = one.Ask(request, seed);
  const World::Seen b = other.Ask(request, seed);
  EXPECT_EQ(a.answered, b.answered) << a.said << "\n" << b.said;
  EXPECT_EQ(a.said, b.said);
  EXPECT_EQ(a.balance, b.balance);
  if (!a.answered || !b.answered) return false;
  const Result<plan::PrivatePlan> plan = one.PlanOf(request);
  if (!plan.ok()) return true;  // EXPLAIN of something
  if (HasFixedRows(*plan)) {
    EXPECT_EQ(a.rows.size(), b.rows.size());
  }
  CompareReleases(*plan, one, other);
  const World::Seen again = one.Ask(request, seed + 1);
  EXPECT_EQ(again.cached, !plan->releases.empty());
  EXPECT_EQ(again.rows, a.rows) << "the stored answer is another one";
  return true;
}

// Every case of a database; says how many there are. What is explained must be equal as well.
size_t CompareAll(const std::string& database, World& one, World& other) {
  size_t asked = 0;
  for (const golden::Case& test : AllCases()) {
    if (test.database != database) continue;
    SCOPED_TRACE(test.query);
    Compare(test, one, other, ++asked);
    const gateway::Request request = RequestOf(test);
    EXPECT_EQ(one.Explain(request), other.Explain(request));
  }
  EXPECT_EQ(one.Ledger(), other.Ledger());
  return asked;
}

std::string DeclarationsOf(const std::string& database) {
  std::ifstream file(std::string(TACIT_SQL_TEST_FOLDER) + "/databases/" + database + ".yaml");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Neighbours : public ::testing::TestWithParam<std::tuple<std::string, size_t>> {};

TEST_P(Neighbours, DifferInPaidNumbersAndInNothingElse) {
  const auto& [database, number] = GetParam();
  const Step& step = Steps()[number];
  SCOPED_TRACE(step.who);
  const std::unique_ptr<World> one = World::Make(database, step.in_one);
  const std::unique_ptr<World> other = World::Make(database, step.in_the_other);
  size_t answered = 0;
  size_t asked = 0;
  size_t seen = 0;
  for (const golden::Case& test : AllCases()) {
    if (test.database != database) continue;
    // The club has most of the cases: every day each of the seven people meets a seventh of them,
    // another one than the person before, and with TACIT_LONG=1 all.
    if (database == "club" && !IsLongRun() && seen++ % 7 != number % 7) continue;
    SCOPED_TRACE(test.query);
    answered += Compare(test, *one, *other, ++asked) ? 1 : 0;
  }
  EXPECT_EQ(one->Ledger(), other->Ledger());
  EXPECT_GT(answered, 0u);
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<std::string, size_t>>& info) {
  return std::get<0>(info.param) + "_" + std::to_string(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(EveryStep, Neighbours,
                         ::testing::Combine(::testing::Values("club", "family", "replaced", "rho",
                                                              "capped", "capped_rho", "limited",
                                                              "limited_rho", "required"),
                                            ::testing::Range<size_t>(0, 7)),
                         NameOf);

// One person's values are the only ones beyond what arithmetic holds, or spelled another way.
TEST(NeighboursAtTheEdges, DifferInPaidNumbersAndInNothingElse) {
  const std::string gone =
      "DELETE FROM visit WHERE person = 0; DELETE FROM person WHERE id = 0; DELETE FROM badge "
      "WHERE "
      "person = 0;";
  const std::string ordinary =
      ", '2020-01-01 00:00:00.123456001', '9999-12-31', 170141183460469231731687303715884105727";
  for (const std::string& values :
       {"'a', 'nan', '-0.0', 2147483647, '2147483647 months 2147483647 days', 'infinity', 0" +
            ordinary,
        "'a', '-inf', '-0.0', -2147483648, '-720 hours', '0001-01-01', 1" + ordinary,
        "'b', 1.7e308, 0, NULL, '30 days', '9999-12-31 23:59:59.999999', NULL" + ordinary,
        // None of their types, and in the table all the same.
        std::string(
            "'b', 1, 0, 1, '1 day', make_timestamp(-9223372036854775808 + i), (SELECT sum(v) "
            "FROM (VALUES ('99999999999999999999999999999999999999'::DECIMAL(38,0)), "
            "('60000000000000000000000000000000000000')) s(v)), "
            "make_timestamp_ns(-9223372036854775806 - i), '9999-12-31', 0 FROM range(1) t(i)")}) {
    SCOPED_TRACE(values);
    const std::unique_ptr<World> one = World::Make("edges", gone);
    const std::unique_ptr<World> other =
        World::Make("edges", gone + "INSERT INTO person SELECT 0, " + values +
                                 "; INSERT INTO badge VALUES (0, 'N')");
    EXPECT_GT(CompareAll("edges", *one, *other), 20u);
  }
}

// One person alone beyond a calendar's ends, on no list, without any value, or in a cell of its
// own.
TEST(NeighboursInACalendar, DifferInPaidNumbersAndInNothingElse) {
  for (const std::string values :
       {"NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL",
        "'0001-01-01', '9999-12-31 23:59:59', '1900-01-01', '2262-04-11', 'odd', 'Q', 5e9, -1",
        "'1991-12-31', '2024-03-31 23:59:59.999999', '2024-02-04', '2024-01-02 23:59:59', 'good', "
        "'F', 0, 5000",
        "'infinity', '-infinity', '-infinity', 'infinity', '', '', 'nan', NULL"}) {
    SCOPED_TRACE(values);
    const std::unique_ptr<World> one = World::Make("diary", "");
    const std::unique_ptr<World> other =
        World::Make("diary", "INSERT INTO person VALUES (1000, " + values + ")");
    size_t asked = 0;
    for (const golden::Case& test : AllCases()) {
      if (test.database != "diary") continue;
      SCOPED_TRACE(test.query);
      Compare(test, *one, *other, ++asked);
    }
    EXPECT_GT(asked, 20u);
  }
}

// One person at instants that clocks skip or show twice, or that lie beyond what they show at all.
TEST(NeighboursInZones, DifferInPaidNumbersAndInNothingElse) {
  for (const std::string values :
       {"NULL, NULL, NULL", "'2024-03-31 01:30:00+00', '2024-03-31 02:30:00', '2024-03-31'",
        "'2024-10-27 01:30:00+00', '2024-10-27 02:30:00', '2024-10-27'",
        "'0001-01-01 00:30:00+00', '0001-01-01 00:00:00', '0001-01-01'",
        "'9999-12-31 23:30:00+00', '9999-12-31 23:59:59.999999', '9999-12-31'",
        "'infinity', '-infinity', 'infinity'", "'290000-01-01 00:00:00+00', '-infinity', NULL"}) {
    SCOPED_TRACE(values);
    const std::unique_ptr<World> one = World::Make("zones", "");
    const std::unique_ptr<World> other =
        World::Make("zones", "INSERT INTO person VALUES (1000, " + values + ")");
    EXPECT_GT(CompareAll("zones", *one, *other), 15u);
  }
}

// As floating-point numbers the person would be somebody else.
TEST(NeighboursByNumber, DifferInPaidNumbersAndInNothingElse) {
  const std::unique_ptr<World> one = World::Make("numbers", "");
  const std::unique_ptr<World> other =
      World::Make("numbers", "INSERT INTO person VALUES (9007199254740993, 41)");
  EXPECT_GT(CompareAll("numbers", *one, *other), 4u);
}

// The person has a card of somebody else, whose loans would be theirs.
TEST(NeighboursByCard, DifferInPaidNumbersAndInNothingElse) {
  const std::unique_ptr<World> one = World::Make("parents", "");
  const std::unique_ptr<World> other =
      World::Make("parents", "INSERT INTO person VALUES (-1, 7), (-1, 8)");
  EXPECT_GT(CompareAll("parents", *one, *other), 4u);
}

// Under prices at which hardly any noise is left, the rest still says nothing.
TEST(NeighboursAtAnyPrice, DifferInPaidNumbersAndInNothingElse) {
  const std::unique_ptr<World> one = World::Make("generous", "");
  const std::unique_ptr<World> other =
      World::Make("generous", "INSERT INTO person VALUES (-1, 'c', 10)");
  EXPECT_GT(CompareAll("generous", *one, *other), 2u);
}

// The list of keys is a part of the question: under another one it is another release, paid anew,
// and under the old one again the stored one.
TEST(NeighboursOfAPolicy, AnswerWithTheirOwnKeys) {
  const std::unique_ptr<World> world = World::Make("grades", "");
  const std::string declared = DeclarationsOf("grades");
  const std::string list = "[1, 2]";
  const auto ask = [&](const std::string& keys) {
    std::string policy = declared;
    world->Declare(policy.replace(policy.find(list), list.size(), keys));
    return world->Ask({.text = "SELECT grade, count(*) FROM pupil GROUP BY grade ORDER BY grade",
                       .analyst = "",
                       .request_id = "",
                       .wish = {}},
                      1);
  };
  const World::Seen first = ask(list);
  EXPECT_EQ(first.rows.size(), 2u);
  for (const auto& [keys, count] : {std::pair("[1, 2, 3]", 3u), {"[1]", 1u}, {"[2, 3]", 2u}}) {
    const World::Seen changed = ask(keys);
    EXPECT_TRUE(changed.answered) << keys;
    EXPECT_FALSE(changed.cached) << keys;
    EXPECT_EQ(changed.rows.size(), count) << keys;
  }
  const World::Seen again = ask(list);
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.rows, first.rows);
}

TEST(NeighboursOfTwoGrades, DifferInPaidNumbersAndInNothingElse) {
  const std::unique_ptr<World> one = World::Make("grades", "");
  const std::unique_ptr<World> other = World::Make("grades", "INSERT INTO pupil VALUES (-1, 4)");
  EXPECT_GT(CompareAll("grades", *one, *other), 2u);
}

// A comparison that cannot fail proves nothing: without its cap a release moves by more than it
// declares, and with a filter on the keys a public group is missing.
TEST(NeighboursCanFail, AnUncappedScanAndAMissingKeyAreFound) {
  const std::unique_ptr<World> one = World::Make("club", Steps()[1].in_one);
  const std::unique_ptr<World> other = World::Make("club", "");
  const gateway::Request request{
      .text = "SELECT count(*) FROM ride", .analyst = "", .request_id = "", .wish = {}};
  Result<plan::PrivatePlan> made = one->PlanOf(request);
  ASSERT_TRUE(made.ok()) << made.error().public_message;
  plan::Release release = made->releases[0];
  const auto moved = [&] {
    return MeasuredSensitivities(release, RunExactly(one->engine(), release).value(),
                                 RunExactly(other->engine(), release).value())[0];
  };
  EXPECT_LE(moved(), release.measures[0].sensitivity_l1);
  plan::tree::ExactNode uncapped = *release.exact;
  plan::tree::Project project = plan::tree::ProjectOf(uncapped.groups.rows);
  const auto* cap = plan::tree::As<plan::tree::RowCap>(project.input);
  ASSERT_NE(cap, nullptr);
  plan::tree::Scan scan = cap->scan;
  scan.unit_is_unique = true;  // which is not so
  project.input = plan::tree::Rows(plan::tree::RowsNode{std::move(scan)});
  uncapped.groups.rows = plan::tree::WithProject(uncapped.groups.rows, project);
  release.exact = plan::tree::Exact(std::move(uncapped));
  EXPECT_GT(moved(), release.measures[0].sensitivity_l1);
}

}  // namespace
}  // namespace tacit::neighbours
