#include "sql/print/duckdb/duckdb.h"

#include <gtest/gtest.h>

#include "sql/parse.h"
#include "sql/testing/duckdb_session.h"
#include "sql/testing/fixed_tables.h"

namespace tacit::sql {
namespace {

using testing::DuckDbSession;
using testing::FixedTables;
using testing::Row;

constexpr Type kInteger = Simple(TypeKind::kInteger);
constexpr Type kText = Simple(TypeKind::kText);

class PrintedForDuckDb : public ::testing::Test {
 protected:
  PrintedForDuckDb()
      : tables_({{"people", {{"id", kInteger}, {"age", kInteger}, {"sex", kText}}},
                 {"visits", {{"id", kInteger}, {"cost", Numeric(10, 2)}}},
                 {"we\"ird; DROP TABLE people; --", {{"a'b\"c", kInteger}}}}) {
    for (const char* text :
         {"CREATE TABLE people (id INTEGER, age INTEGER, sex VARCHAR)",
          "INSERT INTO people VALUES (1, 30, 'F'), (2, 45, 'M'), (3, NULL, 'F')",
          "CREATE TABLE visits (id INTEGER, cost DECIMAL(10,2))",
          "INSERT INTO visits VALUES (1, 10.50), (1, 2.25), (2, 7)",
          "CREATE TABLE \"we\"\"ird; DROP TABLE people; --\" (\"a'b\"\"c\" INTEGER)",
          "INSERT INTO \"we\"\"ird; DROP TABLE people; --\" VALUES (9)"}) {
      TACIT_ASSERT(session_.Query(text).ok());
    }
  }

  // Rows as "a|b;c|d", or the error.
  std::string Ask(const std::string& text) {
    const Result<Statement> statement = Parse(text);
    if (!statement.ok()) return "parse: " + statement.error().public_message;
    const Result<PrintedQuery> printed = sql::PrintForDuckDb(statement->query, tables_);
    if (!printed.ok()) return "print: " + printed.error().public_message;
    const auto rows = session_.Query(printed->text);
    if (!rows.ok()) return "engine: " + rows.error().public_message + " in " + printed->text;
    std::string answer;
    for (const Row& row : *rows) {
      if (!answer.empty()) answer += ";";
      for (size_t i = 0; i < row.size(); ++i)
        answer += (i == 0 ? "" : "|") + row[i].value_or("NULL");
    }
    return answer;
  }

  DuckDbSession session_;
  FixedTables tables_;
};

TEST_F(PrintedForDuckDb, AnswersEveryShapeOfQuery) {
  EXPECT_EQ(Ask("SELECT count(*), count(age), sum(age), avg(age) FROM people"), "3|2|75|37.5");
  EXPECT_EQ(Ask("SELECT sex, count(*) AS n FROM people GROUP BY 1 ORDER BY n DESC, 1"), "F|2;M|1");
  EXPECT_EQ(Ask("SELECT age / 10 * 10 AS decade, count(*) FROM people GROUP BY decade "
                "ORDER BY decade"),
            "30|1;40|1;NULL|1");
  EXPECT_EQ(Ask("SELECT sex FROM people GROUP BY sex HAVING count(*) > 1"), "F");
  EXPECT_EQ(Ask("WITH a AS (SELECT sex, count(*) AS n FROM people GROUP BY sex), "
                "b(total) AS (SELECT count(*) FROM people) "
                "SELECT sex, n * 1.0 / total FROM a, b ORDER BY sex"),
            "F|0.6666666666666666;M|0.3333333333333333");
  EXPECT_EQ(Ask("SELECT p.id, sum(v.cost) FROM people p LEFT JOIN visits v ON v.id = p.id "
                "GROUP BY p.id ORDER BY 1"),
            "1|12.75;2|7.00;3|NULL");
  EXPECT_EQ(Ask("SELECT id, count(*) FROM people JOIN visits USING (id) GROUP BY id ORDER BY id"),
            "1|2;2|1");
  EXPECT_EQ(Ask("SELECT id, sum(age) OVER w FROM people WINDOW w AS (ORDER BY id) ORDER BY id"),
            "1|30;2|75;3|75");
  EXPECT_EQ(Ask("SELECT 'young' AS who, count(*) FROM people WHERE age < 40 "
                "UNION ALL SELECT 'old', count(*) FROM people WHERE age >= 40 ORDER BY who DESC"),
            "young|1;old|1");
  EXPECT_EQ(Ask("SELECT count(*) FROM people WHERE EXISTS (SELECT 1 FROM visits v WHERE v.id = "
                "people.id AND v.cost > 5)"),
            "2");
  EXPECT_EQ(Ask("SELECT count(*) FROM people WHERE id IN (SELECT id FROM visits) "
                "AND age < (SELECT max(age) FROM people)"),
            "1");
  EXPECT_EQ(Ask("SELECT x, y FROM (VALUES (1, 'a'), (2, NULL)) AS v(x, y) ORDER BY x LIMIT 1 "
                "OFFSET 1"),
            "2|NULL");
  EXPECT_EQ(Ask("SELECT DISTINCT sex FROM people ORDER BY sex"), "F;M");
  EXPECT_EQ(Ask("SELECT * FROM people WHERE id = 1"), "1|30|F");
  EXPECT_EQ(Ask("SELECT count(*) FILTER (WHERE age > 40), "
                "percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM people"),
            "1|37.5");
}

TEST_F(PrintedForDuckDb, HostileNamesAndStringsStayNamesAndStrings) {
  EXPECT_EQ(Ask("SELECT \"a'b\"\"c\" FROM \"we\"\"ird; DROP TABLE people; --\""), "9");
  EXPECT_EQ(Ask("SELECT '''; DROP TABLE people; --' AS \"x\"\"; --\""), "'; DROP TABLE people; --");
  EXPECT_EQ(Ask("SELECT count(*) FROM people WHERE sex LIKE '_''); DROP TABLE people; --\\\\'"),
            "0");
  EXPECT_EQ(Ask("SELECT E'\\'; DROP TABLE people; --'"), "'; DROP TABLE people; --");
  EXPECT_EQ(Ask("SELECT count(*) FROM people"), "3");
}

TEST_F(PrintedForDuckDb, RefusesWhatHasNoRule) {
  EXPECT_EQ(Ask("SELECT random()"), "print: the function random is not supported");
  EXPECT_EQ(Ask("SELECT pg_sleep(1)"), "print: the function pg_sleep is not supported");
  EXPECT_EQ(Ask("SELECT read_csv('/etc/passwd')"), "print: the function read_csv is not supported");
  EXPECT_EQ(Ask("SELECT repeat(sex, 1000000) FROM people"),
            "print: the function repeat is not supported");
  EXPECT_EQ(Ask("SELECT count(*) FROM secrets"), "print: table \"secrets\" does not exist");
  EXPECT_EQ(Ask("SELECT nothing FROM people"), "print: column \"nothing\" does not exist");
  EXPECT_EQ(Ask("SELECT id FROM people, visits"), "print: column reference \"id\" is ambiguous");
  EXPECT_EQ(Ask("SELECT age + sex FROM people"), "print: + does not take (integer, text)");
  EXPECT_EQ(Ask("SELECT 1 WHERE sum(1) > 0"),
            "print: aggregate functions are not allowed in WHERE");
}

TEST_F(PrintedForDuckDb, NestingCannotMakeTheTextOrTheWorkExplode) {
  std::string roots = "age";
  for (int i = 0; i < 60; ++i) roots = "sqrt(" + roots + ")";
  EXPECT_TRUE(Ask("SELECT " + roots + " FROM people").starts_with("print: a query that becomes"));
  std::string scalars = "1";
  for (int i = 0; i < kSubqueryExpressionDepthMax; ++i) scalars = "(SELECT " + scalars + ")";
  EXPECT_EQ(Ask("SELECT " + scalars), "1");
  EXPECT_EQ(Ask("SELECT (SELECT " + scalars + ")"),
            "parse: a subquery inside 12 levels of subqueries is not supported");
}

}  // namespace
}  // namespace tacit::sql
