#include <gtest/gtest.h>

#include "analysis/analyze.h"
#include "harness/test_database.h"
#include "plan/compile.h"
#include "sql/parse.h"

// What is made of released moments stays within what mathematics allows, whatever the noise was.
namespace tacit::golden {
namespace {

constexpr char kStatistics[] =
    "SELECT corr(age, weight) AS r, regr_r2(age, weight) AS r2, regr_slope(age, weight) AS slope, "
    "regr_intercept(age, weight) AS intercept, covar_pop(age, weight) AS cp, "
    "covar_samp(age, weight) AS cs, regr_sxx(age, weight) AS sxx, regr_syy(age, weight) AS syy, "
    "regr_sxy(age, weight) AS sxy, regr_avgx(age, weight) AS ax, regr_avgy(age, weight) AS ay "
    "FROM member";

Result<plan::PrivatePlan> PlanOf(const TestDatabase& database) {
  TACIT_TRY(const sql::Statement statement, sql::Parse(kStatistics));
  TACIT_TRY(const analysis::Facts facts,
            analysis::Analyze(statement.query, database.policy, database.schema));
  return plan::Compile(facts, database.policy.privacy, {});
}

// Every combination of harmless, contradictory and enormous moments as one row.
std::string Moments(size_t measures) {
  const std::string values =
      "(SELECT unnest([CAST(-1000000000000000000000000000000 AS HUGEINT), -70, 0, 1, 900, "
      "1000000000000000000000000000000]) AS v)";
  std::string items;
  std::string from;
  for (size_t i = 1; i <= measures; ++i) {
    const std::string table = "x" + std::to_string(i);
    items += (i == 1 ? "" : ", ") + table + ".v AS m" + std::to_string(i);
    from += (i == 1 ? "" : " CROSS JOIN ") + values + " AS " + table;
  }
  return "SELECT " + items + " FROM " + from;
}

TEST(Finish, StatisticsOfPairsAreNumbersWithinTheirRangeOrNull) {
  Result<TestDatabase> opened =
      OpenTestDatabase(std::string(TACIT_SQL_TEST_FOLDER) + "/databases", "club");
  ASSERT_TRUE(opened.ok());
  const TestDatabase database = std::move(opened).value();
  const Result<plan::PrivatePlan> plan = PlanOf(database);
  ASSERT_TRUE(plan.ok()) << plan.error().public_message;
  ASSERT_EQ(plan->releases.size(), 1u);
  const size_t measures = plan->releases[0].measures.size();
  EXPECT_EQ(measures, 6u) << "each moment is paid once";
  ASSERT_TRUE(database.session
                  ->Query("CREATE OR REPLACE TEMP TABLE " + plan->releases[0].name + " AS " +
                          Moments(measures))
                  .ok());
  const std::string wrong = "SELECT count(*), count(*) FILTER (WHERE r IS NOT NULL) FROM (" +
                            plan->post_sql + ") AS q WHERE true";
  const auto all = database.session->Query(wrong);
  ASSERT_TRUE(all.ok()) << all.error().private_detail;
  EXPECT_EQ((*all)[0][0], std::optional<std::string>("46656"));
  EXPECT_NE((*all)[0][1], std::optional<std::string>("0"));
  const auto bad = database.session->Query(
      "SELECT count(*) FROM (" + plan->post_sql +
      ") AS q WHERE r NOT BETWEEN -1 AND 1 OR r2 NOT BETWEEN 0 AND 1 OR NOT isfinite(slope) OR NOT "
      "isfinite(intercept) OR cp NOT BETWEEN -3600 AND 3600 OR cs NOT BETWEEN -7200 AND 7200 OR "
      "sxx < 0 OR syy < 0 OR NOT isfinite(sxx) OR NOT isfinite(syy) OR NOT isfinite(sxy) OR ax NOT "
      "BETWEEN 30 AND 150 OR ay NOT BETWEEN 0 AND 120 OR isnan(r) OR isnan(r2) OR isnan(cp) OR "
      "isnan(ax) OR ax IS NULL OR ay IS NULL OR cp IS NULL OR sxx IS NULL");
  ASSERT_TRUE(bad.ok()) << bad.error().private_detail;
  EXPECT_EQ((*bad)[0][0], std::optional<std::string>("0"));
}

}  // namespace
}  // namespace tacit::golden
