#include "catalog/catalog.h"

#include <gmock/gmock.h>

#include <chrono>

#include "catalog/settings.h"
#include "catalog/testing/clinic.h"

namespace tacit::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class CatalogTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    clinic_ = new Result<Catalog>(Catalog::Make(testing::ClinicPolicy(), testing::ClinicSchema()));
    ASSERT_TRUE(clinic_->ok()) << clinic_->error().private_detail;
  }
  static void TearDownTestSuite() { delete clinic_; }

  static const Catalog& clinic() { return **clinic_; }

  Result<Answer> Ask(const std::string& sql,
                     const std::vector<std::optional<std::string>>& parameters = {},
                     const std::vector<Oid>& types = {}) {
    TACIT_TRY(const std::optional<Query> query, clinic().Recognize(sql));
    if (!query) return InvalidArgument("not a catalog query");
    return clinic().Run(*query, asker_, parameters, types);
  }

  // The answer's cells in reading order; NULL is "null".
  std::vector<std::string> Cells(const std::string& sql,
                                 const std::vector<std::optional<std::string>>& parameters = {}) {
    const Result<Answer> answer = Ask(sql, parameters);
    if (!answer.ok()) {
      ADD_FAILURE() << sql << ": " << answer.error().public_message << " ("
                    << answer.error().private_detail << ")";
      return {};
    }
    std::vector<std::string> cells;
    for (const auto& row : answer->rows) {
      for (const engine::Value& cell : row) {
        cells.push_back(engine::IsNull(cell) ? "null" : engine::ToText(cell));
      }
    }
    return cells;
  }

  Asker asker_ = testing::AskerAna();

 private:
  static const Result<Catalog>* clinic_;
};
const Result<Catalog>* CatalogTest::clinic_ = nullptr;

TEST_F(CatalogTest, ASubqueryMayHaveNoColumns) {
  EXPECT_THAT(Cells("SELECT EXISTS (SELECT FROM pg_class), EXISTS (SELECT FROM pg_class WHERE "
                    "false)"),
              ElementsAre("t", "f"));
  for (const char* sql :
       {"SELECT (SELECT FROM pg_class)", "SELECT ARRAY(SELECT FROM pg_class)",
        "SELECT 1 = ANY (SELECT FROM pg_class)", "SELECT 1 < ALL (SELECT FROM pg_class)",
        "SELECT 1 IN (SELECT FROM pg_class)"}) {
    const Result<Answer> answer = Ask(sql);
    ASSERT_FALSE(answer.ok()) << sql;
    EXPECT_EQ(answer.error().public_message, "subquery must return a column") << sql;
  }
  EXPECT_FALSE(Ask("SELECT t FROM (SELECT FROM pg_class) t").ok());
}

TEST_F(CatalogTest, TakesOnlyQueriesWithoutProtectedTables) {
  const auto takes = [](const std::string& sql) {
    const Result<std::optional<Query>> query = clinic().Recognize(sql);
    return query.ok() && query->has_value();
  };
  EXPECT_TRUE(takes("SELECT 1"));
  EXPECT_TRUE(takes("SELECT * FROM pg_class"));
  EXPECT_TRUE(takes("SELECT * FROM information_schema.tables"));
  EXPECT_TRUE(takes("WITH patients AS (SELECT 1 AS age) SELECT age FROM patients"));
  EXPECT_FALSE(takes("SELECT count(*) FROM patients"));
  EXPECT_FALSE(takes("SELECT count(*) FROM public.patients"));
  EXPECT_FALSE(takes("SELECT 1 WHERE EXISTS (SELECT FROM patients)"));
  EXPECT_FALSE(takes("SELECT * INTO t FROM pg_class"));
  EXPECT_FALSE(takes("DELETE FROM pg_class"));
  EXPECT_FALSE(takes("WITH gone AS (DELETE FROM pg_class RETURNING 1) SELECT * FROM gone"));
  EXPECT_FALSE(takes("SELECT 1; SELECT 2"));
  EXPECT_FALSE(takes("no sql at all"));
}

TEST_F(CatalogTest, RefusesToMixTheCatalogWithTables) {
  for (const std::string& sql :
       {std::string("SELECT count(*) FROM patients, pg_class"),
        std::string("SELECT (SELECT count(*) FROM patients) FROM pg_class"),
        std::string("SELECT 1 FROM tacit.budget WHERE EXISTS (SELECT 1 FROM public.visits)")}) {
    const Result<std::optional<Query>> query = clinic().Recognize(sql);
    ASSERT_FALSE(query.ok()) << sql;
    EXPECT_EQ(query.error().code, ErrorCode::kRefused);
    EXPECT_EQ(query.error().rule, "catalog_and_tables");
  }
}

TEST_F(CatalogTest, HiddenColumnsAndUnlistedTablesAreNowhere) {
  for (const std::string& sql :
       {std::string("SELECT attname FROM pg_attribute"),
        std::string("SELECT relname FROM pg_class"),
        std::string("SELECT table_name, column_name FROM information_schema.columns"),
        std::string("SELECT table_name FROM information_schema.tables"),
        std::string("SELECT tablename FROM pg_tables"), std::string("SELECT * FROM tacit.columns"),
        std::string("SELECT * FROM tacit.tables"), std::string("SELECT typname FROM pg_type"),
        std::string("SELECT * FROM pg_stat_user_tables")}) {
    const std::vector<std::string> cells = Cells(sql);
    EXPECT_THAT(cells, Not(::testing::Contains(HasSubstr("ssn")))) << sql;
    EXPECT_THAT(cells, Not(::testing::Contains(HasSubstr("secret")))) << sql;
  }
  EXPECT_FALSE(Ask("SELECT 'secrets'::regclass").ok());
  EXPECT_THAT(Cells("SELECT to_regclass('secrets')"), ElementsAre("null"));
}

TEST_F(CatalogTest, ColumnsAreNumberedWithoutGaps) {
  EXPECT_THAT(Cells("SELECT attnum, attname FROM pg_attribute WHERE attrelid = 'visits'::regclass "
                    "ORDER BY attnum"),
              ElementsAre("1", "visit", "2", "admitted", "3", "seen"));
}

TEST_F(CatalogTest, NoStatisticSaysAnythingAboutRows) {
  EXPECT_THAT(Cells("SELECT reltuples, relpages, pg_total_relation_size(oid), pg_table_size(oid) "
                    "FROM pg_class WHERE relname = 'patients'"),
              ElementsAre("-1", "0", "0", "0"));
  EXPECT_THAT(Cells("SELECT n_live_tup, seq_scan FROM pg_stat_user_tables WHERE relname = "
                    "'patients'"),
              ElementsAre("null", "null"));
  EXPECT_THAT(Cells("SELECT count(*) FROM pg_stats"), ElementsAre("0"));
}

TEST_F(CatalogTest, NumbersAreTheSameAfterARestart) {
  const Result<Catalog> again = Catalog::Make(testing::ClinicPolicy(), testing::ClinicSchema());
  ASSERT_TRUE(again.ok());
  const Result<std::optional<Query>> query =
      again->Recognize("SELECT oid FROM pg_class WHERE relname = 'visits'");
  ASSERT_TRUE(query.ok() && query->has_value());
  const Result<Answer> answer = again->Run(**query, asker_);
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(engine::ToText(answer->rows[0][0]), Cells("SELECT 'visits'::regclass::oid")[0]);
}

TEST_F(CatalogTest, NothingOfTheEngineCanBeReached) {
  for (const std::string& sql :
       {std::string("SELECT * FROM read_csv('/etc/passwd')"),
        std::string("SELECT * FROM duckdb_settings()"), std::string("SELECT getenv('HOME')"),
        std::string("SELECT * FROM pg_catalog.duckdb_tables"),
        std::string("SELECT read_text('/etc/passwd')"), std::string("SELECT pg_sleep(10)"),
        std::string("SELECT pg_read_file('/etc/passwd')"),
        std::string("SELECT tacit_registry_text(1, 2, 3)"), std::string("SELECT main.lower('a')"),
        std::string("SELECT * FROM \"pg_class\".\"x\""),
        std::string("SELECT lo_import('/etc/passwd')")}) {
    EXPECT_FALSE(Ask(sql).ok()) << sql;
  }
}

TEST_F(CatalogTest, TextsOfTheClientStayTexts) {
  const std::string evil = "x'); DROP TABLE \"pg_catalog.pg_class\"; --";
  EXPECT_THAT(Cells("SELECT $1::text, $1::text || 'y'", {evil}), ElementsAre(evil, evil + "y"));
  asker_.settings["application_name"] = evil;
  EXPECT_THAT(Cells("SELECT current_setting('application_name')"), ElementsAre(evil));
  EXPECT_THAT(Cells("SELECT setting FROM pg_settings WHERE name = 'application_name'"),
              ElementsAre(evil));
  asker_.database = "a'b";
  asker_.analyst = "o\"'x";
  EXPECT_THAT(Cells("SELECT current_database(), current_user, datname FROM pg_database"),
              ElementsAre("a'b", "o\"'x", "a'b"));
  EXPECT_THAT(Cells("SELECT 1 AS \"a\"\"b; DROP\""), ElementsAre("1"));
}

TEST_F(CatalogTest, ParametersTakeTheTypeOfTheirSurroundings) {
  const Result<std::optional<Query>> query = clinic().Recognize(
      "SELECT $3 FROM pg_class WHERE oid = $1 AND relname = $2 AND relkind = ANY($4)");
  ASSERT_TRUE(query.ok() && query->has_value());
  const Result<Description> shape = clinic().Describe(**query, asker_);
  ASSERT_TRUE(shape.ok());
  EXPECT_THAT(shape->parameters, ElementsAre(26, 19, 25, 1002));
  EXPECT_THAT(Cells("SELECT relname FROM pg_class WHERE oid = $1::regclass", {"patients"}),
              ElementsAre("patients"));
  EXPECT_THAT(Cells("SELECT relname FROM pg_class WHERE relname = ANY($1) ORDER BY 1",
                    {"{visits,\"patients\",nothing}"}),
              ElementsAre("patients", "visits"));
  EXPECT_THAT(Cells("SELECT count(*) FROM pg_class WHERE relname = $1", {std::nullopt}),
              ElementsAre("0"));
}

TEST_F(CatalogTest, TimesAndIntervalsGiveWhatTheyGiveInPostgres) {
  const std::string sql =
      "SELECT INTERVAL '1 day' * 7, 2.0 * INTERVAL '1 hour', INTERVAL '3 days' / 2, INTERVAL '1 "
      "day' + INTERVAL '2 hours', DATE '2024-03-01' - DATE '2024-02-01', DATE '2024-03-01' + 3, "
      "DATE '2024-03-01' - INTERVAL '1 day', TIMESTAMP '2024-03-01 10:00' - TIMESTAMP '2024-02-29 "
      "09:00', INTERVAL '1 hour' + TIMESTAMP '2024-03-01 10:00'";
  EXPECT_THAT(Cells(sql), ElementsAre("7 days", "02:00:00", "1 day 12:00:00", "1 day 02:00:00",
                                      "29", "2024-03-04", "2024-02-29 00:00:00", "1 day 01:00:00",
                                      "2024-03-01 11:00:00"));
  const Result<std::optional<Query>> query = clinic().Recognize(sql);
  ASSERT_TRUE(query.ok() && query->has_value());
  const Result<Description> shape = clinic().Describe(**query, asker_);
  ASSERT_TRUE(shape.ok());
  std::vector<Oid> types;
  for (const auto& column : shape->columns) types.push_back(column.type);
  EXPECT_THAT(types, ElementsAre(1186, 1186, 1186, 1186, 23, 1082, 1114, 1186, 1114));
  EXPECT_FALSE(Ask("SELECT DATE '2024-03-01' * 2").ok());
}

TEST_F(CatalogTest, SearchPathDecidesWhatIsVisible) {
  EXPECT_THAT(Cells("SELECT 'patients'::regclass::text, pg_table_is_visible('patients'::regclass)"),
              ElementsAre("patients", "t"));
  asker_.settings["search_path"] = "";
  EXPECT_THAT(Cells("SELECT 'patients'::regclass, pg_table_is_visible('patients'::regclass)"),
              ElementsAre("public.patients", "f"));
  EXPECT_THAT(Cells("SELECT current_schema()"), ElementsAre("null"));
}

TEST_F(CatalogTest, SetConfigIsHandedToTheSession) {
  const Result<Answer> answer = Ask("SELECT pg_catalog.set_config('search_path', '', false)");
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->changes.size(), 1u);
  EXPECT_EQ(answer->changes[0].name, "search_path");
  EXPECT_EQ(answer->changes[0].value, "");
  EXPECT_FALSE(answer->changes[0].local);
}

TEST_F(CatalogTest, TacitViewsShowTheAnalystsOwn) {
  EXPECT_THAT(Cells("SELECT scope, epsilon_left, charges FROM tacit.budget"),
              ElementsAre("analyst", "0.9", "1"));
  EXPECT_THAT(Cells("SELECT sequence, time, epsilon, receipt FROM tacit.ledger"),
              ElementsAre("17", "2025-01-31 12:00:00+00", "0.1", "17:ef56"));
  EXPECT_THAT(Cells("SELECT name, value FROM tacit.settings WHERE name = 'tacit.epsilon'"),
              ElementsAre("tacit.epsilon", "0.1"));
}

TEST_F(CatalogTest, AWorkloadIsNoQuestionOfItsOwn) {
  const Result<std::optional<Query>> buys =
      clinic().Recognize("SELECT * FROM tacit.buy('SELECT count(*) FROM visits')");
  ASSERT_TRUE(buys.ok());
  EXPECT_FALSE(buys->has_value());
}

TEST_F(CatalogTest, DescribeNeverAsksTheLedger) {
  asker_.budget = []() -> Result<std::vector<BudgetRow>> {
    ADD_FAILURE() << "Describe called the ledger";
    return std::vector<BudgetRow>{};
  };
  const Result<std::optional<Query>> query = clinic().Recognize("SELECT * FROM tacit.budget");
  ASSERT_TRUE(query.ok() && query->has_value());
  EXPECT_TRUE(clinic().Describe(**query, asker_).ok());
}

TEST_F(CatalogTest, AnswersWhatToolsAskWhenTheyConnect) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Cells("SELECT '\"pg_catalog\".\"int8\"'::regtype::oid"), Texts{"20"});
  EXPECT_EQ(Cells("SELECT to_regtype('\"varchar\"'), to_regtype('\"public\".\"int8\"')"),
            (Texts{"character varying", "null"}));
  EXPECT_EQ(Cells("SELECT oidvectortypes(proargtypes) FROM pg_proc WHERE proname = 'int8in'"),
            Texts{"cstring"});
  EXPECT_EQ(Cells("SELECT setting FROM pg_show_all_settings() WHERE name = 'work_mem'"),
            Texts{"4MB"});
  EXPECT_EQ(Cells("SELECT pg_index_column_has_property('visits'::regclass, 1, 'asc')"),
            Texts{"null"});
  EXPECT_EQ(
      Cells("SELECT (d).privilege_type, (d).is_grantable FROM (SELECT aclexplode(relacl) AS "
            "d FROM pg_class WHERE relname = 'visits') a WHERE (d).privilege_type = 'SELECT'"),
      (Texts{"SELECT", "f", "SELECT", "f"}));
  EXPECT_EQ(Cells("SELECT count(*) FROM aclexplode(NULL) a"), Texts{"0"});
  const Result<Answer> nothing = Ask("SELECT FROM pg_class WHERE relname = 'visits'");
  ASSERT_TRUE(nothing.ok()) << nothing.error().public_message;
  EXPECT_EQ(nothing->columns.size(), 0u);
  EXPECT_EQ(nothing->rows.size(), 1u);
}

TEST_F(CatalogTest, BareNamesMeanWhatTheSearchPathSays) {
  const auto taken = [](const std::string& sql, const char* path) {
    const Result<sql::SharedReading> reading = sql::ReadQuestion(sql);
    const Result<std::optional<Query>> query = clinic().Recognize(**reading, path);
    return !query.ok() ? query.error().rule : query->has_value() ? "catalog" : "people";
  };
  EXPECT_EQ(taken("SELECT * FROM budget", "public"), "people");
  EXPECT_EQ(taken("SELECT * FROM budget", "public, tacit"), "catalog");
  EXPECT_EQ(taken("SELECT * FROM visits", "tacit, \"$user\", public"), "people");
  EXPECT_EQ(taken("SELECT * FROM visits", "tacit"), "undefined_table");
  EXPECT_EQ(taken("SELECT * FROM public.visits", ""), "people");
  EXPECT_EQ(taken("SELECT * FROM pg_class", ""), "catalog");
  EXPECT_TRUE(clinic().SearchesPublicFirst("\"$user\", public, tacit"));
  EXPECT_FALSE(clinic().SearchesPublicFirst("tacit, public"));
}

TEST_F(CatalogTest, TheLastAnswerIsARowForEachColumn) {
  EXPECT_EQ(Cells("SELECT count(*) FROM tacit.last"), std::vector<std::string>{"0"});
  LastAnswer last;
  last.number = 3;
  last.columns.resize(2);
  last.columns[0].name = "sex";
  last.columns[1].name = "n";
  last.columns[1].mechanism = "discrete_laplace";
  last.columns[1].moe95 = Rational(30);
  last.cost.epsilon = Rational(1, 10);
  last.notices = "it's said";
  asker_.last = std::make_shared<const LastAnswer>(last);
  EXPECT_EQ(Cells("SELECT answer, position, column_name, mechanism, moe95, epsilon, notices FROM "
                  "tacit.last ORDER BY position"),
            (std::vector<std::string>{"3", "1", "sex", "null", "null", "0.1", "it's said", "3", "2",
                                      "n", "discrete_laplace", "30", "0.1", "it's said"}));
}

TEST_F(CatalogTest, TooMuchWorkIsAnErrorWithAFixedText) {
  const Result<Answer> answer =
      Ask("SELECT count(*) FROM pg_attribute a, pg_attribute b, pg_attribute c, pg_attribute d");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().public_message, "this catalog query needs too much time or memory");
}

TEST_F(CatalogTest, NothingGrowsBeyondTheLimitsWhateverItsArguments) {
  const std::string half(30'000, 'a');
  std::string doubled = "SELECT '" + std::string(1'000, 'b') + "' AS t, ARRAY[1, 2] AS l";
  std::string lists = doubled;
  for (int i = 0; i < 30; ++i) {
    doubled = "SELECT t || t AS t FROM (" + doubled + ") AS s";
    lists = "SELECT array_cat(l, l) AS l FROM (" + lists + ") AS s";
  }
  std::string empty_cells;  // no text, and memory all the same
  for (int i = 0; i < 500; ++i) empty_cells += "NULL, ";
  for (const std::string& sql :
       {std::string("SELECT * FROM generate_series(1, 100000000)"),
        std::string(
            "SELECT count(*) FROM generate_series(-900000000000000000, 900000000000000000)"),
        std::string("SELECT generate_series(1, 99999) FROM pg_attribute"),
        std::string("SELECT generate_series(100000000, 1, -1)"),
        std::string("SELECT count(*) FROM generate_series(1, 99999) a, generate_series(1, 99999) b,"
                    " generate_series(1, 99999) c"),
        "SELECT length(replace('" + half + "', 'a', '" + half + "'))",
        "SELECT length(regexp_replace('" + half + "', '.', '" + half + "', 'g'))",
        "SELECT length(array_to_string(string_to_array('" + half + "', ''), '" + half + "'))",
        std::string("SELECT length(string_agg(a.attname, ',')) FROM pg_attribute a,"
                    " pg_attribute b"),
        "SELECT length(t) FROM (" + doubled + ") AS s",
        "SELECT cardinality(l) FROM (" + lists + ") AS s",
        "SELECT " + empty_cells + "NULL FROM pg_attribute a, pg_attribute b LIMIT 20000"}) {
    const auto start = std::chrono::steady_clock::now();
    const Result<Answer> answer = Ask(sql);
    ASSERT_FALSE(answer.ok()) << sql.substr(0, 100);
    EXPECT_EQ(answer.error().public_message, "this catalog query needs too much time or memory")
        << sql.substr(0, 100) << answer.error().private_detail;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  }
}

TEST_F(CatalogTest, NumbersBeyondTheirTypeAreNull) {
  EXPECT_THAT(Cells("SELECT 10::numeric ^ 100000, 2.0 ^ 1e10, 2.0 ^ 3"),
              ElementsAre("null", "null", "8"));
}

TEST_F(CatalogTest, SeriesTextsAndArraysWithinTheLimitsAreAsPostgresqlHasThem) {
  EXPECT_THAT(Cells("SELECT * FROM generate_series(1, 3)"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Cells("SELECT generate_series(5, 1, -2)"), ElementsAre("5", "3", "1"));
  EXPECT_THAT(Cells("SELECT count(*) FROM generate_series(2, 1)"), ElementsAre("0"));
  EXPECT_THAT(Cells("SELECT count(*) FROM generate_series(NULL::int, 1)"), ElementsAre("0"));
  EXPECT_THAT(Cells("SELECT count(*) FROM generate_series(1, 100000)"), ElementsAre("100000"));
  EXPECT_THAT(Cells("SELECT 'a' || NULL, concat('a', NULL, 'b'), replace('aba', 'a', 'cc')"),
              ElementsAre("null", "ab", "ccbcc"));
  EXPECT_THAT(Cells("SELECT ARRAY[1] || ARRAY[2], array_append(ARRAY['x'], 'y'), ARRAY[1] || 3"),
              ElementsAre("{1,2}", "{x,y}", "{1,3}"));
  EXPECT_FALSE(Ask("SELECT generate_series(1, 2, 0)").ok());
}

TEST_F(CatalogTest, LikeIsPostgresqlsAndTakesNoLongerThanItsTexts) {
  EXPECT_THAT(
      Cells("SELECT 'abc' LIKE 'a%', 'abc' LIKE '_b_', 'abc' LIKE 'ab', 'a%c' LIKE 'a\\%c',"
            " 'abc' LIKE 'a\\%c', 'ABC' ILIKE 'a_c', 'abc' NOT LIKE '%d%', '' LIKE '%',"
            " 'a_c' LIKE 'a!_c' ESCAPE '!', 'aäb' LIKE 'a_b', NULL LIKE 'a', 'xaab' LIKE '%a_b'"),
      ElementsAre("t", "t", "f", "t", "f", "t", "t", "t", "t", "t", "null", "t"));
  std::string pattern;
  for (int i = 0; i < 12; ++i) pattern += "%a_";
  EXPECT_THAT(Cells("SELECT '" + std::string(400, 'a') + "' LIKE '" + pattern + "b'"),
              ElementsAre("f"));
}

TEST_F(CatalogTest, NestedCallsDoNotDoubleTheTextForEver) {
  std::string nested = "ARRAY[1]";
  for (int i = 0; i < 60; ++i) nested = "ARRAY[array_upper(" + nested + ", 1)]";
  const Result<Answer> answer = Ask("SELECT " + nested);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kUnsupported);
}

TEST_F(CatalogTest, DeepNestingIsAnError) {
  std::string sql = "SELECT ";
  for (int i = 0; i < 20'000; ++i) sql += "1+";
  EXPECT_FALSE(Ask(sql + "1").ok());
  std::string minus = "SELECT ";
  for (int i = 0; i < 20'000; ++i) minus += "- ";
  EXPECT_FALSE(Ask(minus + "1").ok());
}

TEST_F(CatalogTest, EngineTextNeverLeaves) {
  const Result<Answer> answer = Ask("SELECT CAST(relname AS int) FROM pg_class");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().public_message, "the catalog cannot answer this query");
}

}  // namespace
}  // namespace tacit::catalog
