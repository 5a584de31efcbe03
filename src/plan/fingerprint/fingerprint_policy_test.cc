#include <gtest/gtest.h>

#include "analysis/analyze.h"
#include "base/mutant.h"
#include "plan/compile.h"
#include "plan/fingerprint/fingerprint.h"
#include "policy/load.h"
#include "policy/testing/sample.h"
#include "sql/parse.h"

// What the policy says decides a released table together with the query: an answer that was stored
// under another list, bound, cap or grid is the answer to another question.

namespace tacit::plan {
namespace {

const std::string kDeclared = policy::testing::SampleWith(R"(  people:
    unit: pid
    rows_per_unit: 1
    columns:
      age: {bounds: [0, 120], step: 1}
      weight: {bounds: [30, 150], step: 0.5}
      sex: {keys: [F, M]}
      grade: {keys: [1, 2]}
      code: {keys: ["1", "2"]}
      active: {keys: [true]}
      level: {keys: {from: 1, to: 4, step: 1}}
      since: {keys: {months: [2024-01, 2024-06]}}
      home: {keys: {table: place.code}}
  trip:
    unit: {via: pid, to: people.pid}
    rows_per_unit: 6
    groups_per_unit: 3
    rows_per_group: 2
    columns:
      km: {bounds: [0, 50], step: 1}
      kind: {keys: [a, b]}
  place: {public: true}
  spot: {public: true}
)");

const policy::Schema& DeclaredSchema() {
  static const policy::Schema schema{{{"people",
                                       {{"pid", kIntegerType},
                                        {"other", kIntegerType},
                                        {"age", kIntegerType},
                                        {"weight", kDoubleType},
                                        {"sex", kTextType},
                                        {"grade", kIntegerType},
                                        {"code", kTextType},
                                        {"active", kBooleanType},
                                        {"level", kIntegerType},
                                        {"since", kDateType},
                                        {"home", kTextType},
                                        {"city", kTextType}}},
                                      {"place", {{"code", kTextType}, {"name", kTextType}}},
                                      {"spot", {{"code", kTextType}}},
                                      {"trip",
                                       {{"pid", kIntegerType},
                                        {"guide", kIntegerType},
                                        {"km", kIntegerType},
                                        {"kind", kTextType}}}}};
  return schema;
}

std::vector<std::string> ReleasesUnder(const std::string& text, const std::string& policy_text) {
  const Result<policy::Policy> policy = policy::Parse(policy_text, "tacit.yaml");
  EXPECT_TRUE(policy.ok()) << policy.error().public_message;
  const Result<sql::Statement> statement = sql::Parse(text);
  EXPECT_TRUE(statement.ok()) << text;
  const Result<analysis::Facts> facts =
      analysis::Analyze(statement->query, *policy, DeclaredSchema());
  EXPECT_TRUE(facts.ok()) << text << "\n" << facts.error().public_message;
  return FingerprintsOf(*facts);
}

struct Change {
  const char* query;
  const char* from;
  const char* to;
};

std::string Changed(const Change& change) {
  std::string text = kDeclared;
  const size_t at = text.find(change.from);
  EXPECT_NE(at, std::string::npos) << change.from;
  return text.replace(at, std::string(change.from).size(), change.to);
}

TEST(FingerprintOfAPolicy, DiffersWithEverythingThatDecidesTheReleasedTable) {
  constexpr char kSex[] = "SELECT sex, count(*) FROM people GROUP BY sex";
  constexpr char kGrade[] = "SELECT grade, count(*) FROM people GROUP BY grade";
  constexpr char kLevel[] = "SELECT level / 2, count(*) FROM people GROUP BY 1";
  constexpr char kSince[] = "SELECT date_trunc('month', since), count(*) FROM people GROUP BY 1";
  constexpr char kHome[] = "SELECT home, count(*) FROM people GROUP BY home";
  constexpr char kAge[] = "SELECT sum(age) FROM people";
  constexpr char kTrips[] = "SELECT kind, sum(km) FROM trip GROUP BY kind";
  constexpr char kPerPerson[] =
      "SELECT sum(least(n, 5)) FROM (SELECT pid, count(*) AS n FROM trip GROUP BY pid) q";
  for (const Change& change : std::vector<Change>{
           {kSex, "[F, M]", "[F, M, X]"},
           {kSex, "[F, M]", "[F]"},
           {kSex, "[F, M]", "[F, m]"},
           {kSex, "      sex: {keys: [F, M]}\n", ""},
           {"SELECT sex, city, count(*) FROM people GROUP BY sex, city", "[F, M]", "[F]"},
           {"SELECT mode() WITHIN GROUP (ORDER BY sex) FROM people", "[F, M]", "[F, M, X]"},
           {kGrade, "[1, 2]", "[1, 2, 3]"},
           {kGrade, "[1, 2]", "[1]"},
           {kGrade, "[1, 2]", "{from: 1, to: 3, step: 1}"},
           {"SELECT code, count(*) FROM people GROUP BY code", R"(["1", "2"])", R"(["1", "3"])"},
           {"SELECT active, count(*) FROM people GROUP BY active", "[true]", "[true, false]"},
           {"SELECT active, count(*) FROM people GROUP BY active", "[true]", "[false]"},
           {kLevel, "from: 1", "from: 2"},
           {kLevel, "to: 4", "to: 5"},
           {kLevel, "to: 4, step: 1", "to: 4, step: 3"},
           {kSince, "[2024-01", "[2023-01"},
           {kSince, "2024-06]", "2024-07]"},
           {kHome, "place.code", "spot.code"},
           {kHome, "place.code", "place.name"},
           {kHome, "place: {public: true}", "place: {public: true, rows_max: 5}"},
           {kAge, "[0, 120], step: 1", "[1, 120], step: 1"},
           {kAge, "[0, 120], step: 1", "[0, 121], step: 1"},
           {"SELECT avg(weight) FROM people", "step: 0.5", "step: 0.25"},
           {"SELECT max(weight) FROM people", "step: 0.5", "step: 0.25"},
           {"SELECT corr(age, weight) FROM people", "[30, 150]", "[20, 150]"},
           {"SELECT sum(age) FILTER (WHERE sex = 'F') FROM people", "[0, 120]", "[0, 99]"},
           {kTrips, "rows_per_unit: 6", "rows_per_unit: 5"},
           {kTrips, "groups_per_unit: 3", "groups_per_unit: 2"},
           {kTrips, "rows_per_group: 2", "rows_per_group: 1"},
           {kTrips, "via: pid", "via: guide"},
           {kPerPerson, "rows_per_unit: 6", "rows_per_unit: 5"},
           {kAge, "unit: pid", "unit: other"},
           {"SELECT count(*) FROM people", "    unit: pid\n    rows_per_unit: 1\n",
            "    unit: pid\n    rows_per_unit: 2\n"},
       }) {
    EXPECT_NE(ReleasesUnder(change.query, kDeclared), ReleasesUnder(change.query, Changed(change)))
        << change.query << "\n"
        << change.from << " became " << change.to;
  }
}

std::string PlannedUnder(const std::string& text, const std::string& policy_text) {
  const Result<policy::Policy> policy = policy::Parse(policy_text, "tacit.yaml");
  EXPECT_TRUE(policy.ok()) << policy.error().public_message;
  const Result<analysis::Facts> facts =
      analysis::Analyze(sql::Parse(text)->query, *policy, DeclaredSchema());
  EXPECT_TRUE(facts.ok()) << text << "\n" << facts.error().public_message;
  Wish wish;
  wish.epsilon = Epsilon(1, 10);
  const Result<PrivatePlan> plan = Compile(*facts, policy->privacy, wish);
  EXPECT_TRUE(plan.ok()) << text;
  return plan->releases.front().fingerprint;
}

// At another usual price another cap may be chosen: other rows count.
TEST(FingerprintOfAPolicy, IsOfTheCapsThatWereChosen) {
  const std::string cheap = Changed({"", "query: {epsilon: 0.1,", "query: {epsilon: 0.001,"});
  for (const char* query : {"SELECT kind, sum(km) FROM trip GROUP BY kind",
                            "SELECT kind, count(DISTINCT pid), count(*) FROM trip GROUP BY kind"}) {
    EXPECT_NE(PlannedUnder(query, kDeclared), PlannedUnder(query, cheap)) << query;
#ifdef TACIT_MUTANTS
    SetMutant("fingerprint_without_caps");
    EXPECT_EQ(PlannedUnder(query, kDeclared), PlannedUnder(query, cheap)) << query;
    SetMutant("");
#endif
  }
  // Two kinds are not more than three groups, and people are not capped there.
  for (const char* query :
       {"SELECT kind, count(DISTINCT pid) FROM trip GROUP BY kind",
        "SELECT km, count(*) FROM trip GROUP BY km", "SELECT count(*) FROM trip",
        "SELECT sex, count(*) FROM people GROUP BY sex"}) {
    EXPECT_EQ(PlannedUnder(query, kDeclared), PlannedUnder(query, cheap)) << query;
  }
}

TEST(FingerprintOfAPolicy, IsTheSameWhereTheReleasedTableIs) {
  constexpr char kSex[] = "SELECT sex, sum(age) FROM people GROUP BY sex";
  for (const Change& change : std::vector<Change>{
           {kSex, "[F, M]", "[M, F]"},
           {kSex, "[1, 2]", "[1, 2, 3]"},
           {kSex, "[30, 150]", "[20, 150]"},
           {kSex, "age: {bounds: [0, 120], step: 1}", "age: {bounds: [0.0, 1.2e2]}"},
           {kSex, "budget: {epsilon: 3", "budget: {epsilon: 5"},
           {kSex, "code: {", "code: {hidden: true, "},
       }) {
    EXPECT_EQ(ReleasesUnder(change.query, kDeclared), ReleasesUnder(change.query, Changed(change)))
        << change.from << " became " << change.to;
  }
}

}  // namespace
}  // namespace tacit::plan
