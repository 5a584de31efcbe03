#include "plan/fingerprint/fingerprint.h"

#include <gtest/gtest.h>

#include "analysis/analyze.h"
#include "policy/load.h"
#include "policy/testing/sample.h"
#include "sql/parse.h"

namespace tacit::plan {
namespace {

constexpr char kPeopleTables[] = R"(  people:
    unit: pid
    rows_per_unit: 1
    columns:
      age: {bounds: [0, 120]}
      sex: {keys: [F, M]}
)";

const policy::Schema& TheSchema() {
  static const policy::Schema schema{
      {{"people",
        {{"pid", kIntegerType}, {"age", kIntegerType}, {"sex", kTextType}, {"city", kTextType}}}}};
  return schema;
}

std::vector<std::string> Releases(const std::string& text) {
  const Result<policy::Policy> policy =
      policy::Parse(policy::testing::SampleWith(kPeopleTables), "tacit.yaml");
  EXPECT_TRUE(policy.ok()) << policy.error().public_message;
  const Result<sql::Statement> statement = sql::Parse(text);
  EXPECT_TRUE(statement.ok()) << text;
  const Result<analysis::Facts> facts = analysis::Analyze(statement->query, *policy, TheSchema());
  EXPECT_TRUE(facts.ok()) << text << "\n" << facts.error().public_message;
  return FingerprintsOf(*facts);
}

TEST(Fingerprint, IsTheSameHoweverTheQuestionIsWritten) {
  const auto asked =
      Releases("SELECT sex, count(*) FROM people WHERE age > 20 AND city = 'Rome' GROUP BY sex");
  ASSERT_EQ(asked.size(), 1u);
  for (const char* same : {
           "select  SEX, COUNT(*) from People where AGE > 20 and city = 'Rome' group by 1",
           "SELECT p.sex AS s, count(*) AS n FROM people p WHERE p.city = 'Rome' AND p.age > 20 "
           "GROUP BY s",
           "SELECT sex, count(*) FROM people WHERE 20 < age AND city = 'Rome' GROUP BY sex",
           "SELECT s, n FROM (SELECT sex AS s, count(*) AS n FROM (SELECT * FROM people WHERE age "
           "> 20) q WHERE city = 'Rome' GROUP BY sex) r ORDER BY n DESC LIMIT 1",
           "SELECT count(*), sex FROM people WHERE age > 20 AND city = 'Rome' GROUP BY sex HAVING "
           "count(*) > 7",
           "WITH rome AS (SELECT age AS a, sex AS x FROM people WHERE city = 'Rome') SELECT x, "
           "2 * count(*) FROM rome WHERE a > 20 GROUP BY x",
       }) {
    EXPECT_EQ(Releases(same), asked) << same;
  }
}

TEST(Fingerprint, DiffersWithWhatIsAsked) {
  std::vector<std::string> all;
  for (const char* text : {
           "SELECT count(*) FROM people WHERE age > 20",
           "SELECT count(*) FROM people WHERE age > 21",
           "SELECT count(*) FROM people WHERE age >= 20",
           "SELECT count(age) FROM people WHERE age > 20",
           "SELECT count(*) FILTER (WHERE age > 20) FROM people",
           "SELECT sex, count(*) FROM people WHERE age > 20 GROUP BY sex",
           "SELECT city, count(*) FROM people WHERE age > 20 GROUP BY city",
           "SELECT sum(age) FROM people WHERE age > 20",
           "SELECT avg(age) FROM people WHERE age > 20",
           "SELECT sum(least(age, 50)) FROM people WHERE age > 20",
           "SELECT count(*) FROM people WHERE city = 'a|b'",
           "SELECT count(*) FROM people WHERE city = 'a' OR city = 'b'",
       }) {
    const auto releases = Releases(text);
    ASSERT_EQ(releases.size(), 1u);
    EXPECT_EQ(std::count(all.begin(), all.end(), releases[0]), 0) << text;
    all.push_back(releases[0]);
  }
}

TEST(Fingerprint, OfAReleaseMadeFromAnotherNamesTheOther) {
  const auto a = Releases("SELECT count(*) FROM people WHERE age > (SELECT avg(age) FROM people)");
  const auto b = Releases(
      "SELECT count(*) FROM people WHERE age > (SELECT avg(age) FROM people WHERE sex = 'F')");
  ASSERT_EQ(a.size(), 2u);
  ASSERT_EQ(b.size(), 2u);
  EXPECT_NE(a[0], b[0]);
  EXPECT_NE(a[1], b[1]);
}

}  // namespace
}  // namespace tacit::plan
