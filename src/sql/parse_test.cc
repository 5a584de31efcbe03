#include "sql/parse.h"

#include <gtest/gtest.h>

#include "sql/print/canonical/canonical.h"
#include "sql/walk.h"

namespace tacit::sql {
namespace {

// The printed form, after checking that it parses back into an equal tree.
std::string RoundTrip(const std::string& text) {
  const Result<Statement> first = Parse(text);
  if (!first.ok()) return "error: " + first.error().public_message;
  const std::string printed = PrintCanonical(first->query);
  const Result<Statement> second = Parse(printed);
  if (!second.ok()) return "does not parse back: " + printed + ": " + second.error().public_message;
  if (!(second->query == first->query)) return "differs after a round trip: " + printed;
  return printed;
}

TEST(Parse, EveryAcceptedConstructSurvivesARoundTrip) {
  const std::vector<std::string> queries = {
      "SELECT count(*) FROM t1",
      "SELECT sum(least(greatest(i, 2), 3)) FROM t1 WHERE i IS NOT NULL",
      "SELECT avg(m) FROM (SELECT uid, avg(i) AS m FROM t2 GROUP BY uid) q",
      "SELECT count(*), count(DISTINCT uid) FROM t2",
      "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY educ) FROM people",
      "SELECT mode() WITHIN GROUP (ORDER BY x DESC NULLS LAST) FROM t",
      "SELECT sum(a) FILTER (WHERE a > 5), count(*) FILTER (WHERE a > 5) FROM orders",
      "SELECT sum(CASE WHEN age >= 65 THEN 1 ELSE 0 END) FROM people",
      "SELECT CASE a WHEN 1 THEN 'x' END FROM t",
      "SELECT count(*) FROM people WHERE name LIKE 'A%' OR name NOT ILIKE 'b_b'",
      "SELECT age / 10 * 10 AS decade, count(*) AS n FROM people GROUP BY decade",
      "SELECT educ, count(*) AS n FROM people GROUP BY 1 ORDER BY n DESC, educ LIMIT 3 OFFSET 1",
      "SELECT educ FROM people GROUP BY educ HAVING count(*) > 125",
      "SELECT date_trunc('month', joined), extract(year FROM joined) FROM people",
      "SELECT d + INTERVAL '1 month', d - DATE '2020-01-31', TIMESTAMP '2020-1-1 10:00' FROM t",
      "SELECT INTERVAL '3' DAY, INTERVAL '1 year 2 mons -3 days 04:05:06.7'",
      "SELECT INTERVAL '9999999 hours', INTERVAL '-9999999:00:00'",
      "SELECT sex FROM people WHERE educ IN (1, 2) AND age BETWEEN 20 AND 60 AND sex <> 'X'",
      "SELECT a NOT BETWEEN 1 AND 2, a NOT IN (1), a IS DISTINCT FROM b, a IS NOT TRUE FROM t",
      "WITH a AS (SELECT 1 AS n), b(m) AS (SELECT n FROM a) SELECT n * 1.0 / m FROM a, b",
      "SELECT sum(n) OVER (PARTITION BY k ORDER BY e ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), "
      "row_number() OVER w, lag(n, 2) OVER (w ORDER BY e) FROM q WINDOW w AS (PARTITION BY k)",
      "SELECT 'young' AS who, count(*) FROM p UNION ALL (SELECT 'old', 2 EXCEPT SELECT 'x', 3)",
      "SELECT 1 FROM a JOIN b ON a.x = b.x LEFT JOIN c USING (x, y) CROSS JOIN d",
      "SELECT 1 FROM a LEFT JOIN (b FULL JOIN c ON b.i = c.i) ON a.i = b.i",
      "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.i = t.i) AND t.j NOT IN (SELECT j "
      "FROM u) AND t.k = (SELECT max(k) FROM u)",
      "SELECT x = ANY (ARRAY[1, 2]), x <> ALL (ARRAY[3]) FROM t",
      "SELECT coalesce(a, b), nullif(a, 1), position('a' IN s), substring(s FROM 2 FOR 3), "
      "trim(both 'x' from s), left(s, 2), CAST(s AS varchar(3)) FROM t",
      "SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b",
      "SELECT \"Select\", \"a\"\"b\", t.\"C\" FROM \"T\" AS t(\"Select\", \"a\"\"b\")",
      "SELECT -5, -5 - -3, - a, 1.5e3, .5, 9223372036854775807, 99999999999999999999 FROM t",
      "SELECT x FROM (VALUES (1, 'a'), (2, NULL)) AS v(x, y)",
      "SELECT a::numeric(10,2), b::double precision, c::timestamptz, TRUE, NOT FALSE FROM t",
      "SELECT * FROM t LIMIT ALL",
      "SELECT t.*, $1 FROM t WHERE a = $2 OR b = $1000",
      "VALUES (1), (2)",
      "SELECT a, grouping(a, b) FROM t GROUP BY CUBE (a, b), c",
      "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
      "SELECT corr(x, y), regr_slope(x, y), string_agg(s, ',' ORDER BY s) FROM t"};
  for (const std::string& query : queries) {
    const std::string printed = RoundTrip(query);
    EXPECT_TRUE(printed.starts_with("SELECT") || printed.starts_with("WITH") ||
                printed.starts_with("VALUES"))
        << query << "\n"
        << printed;
  }
}

// What is written once and compared with several values is copied: copies of copies are refused.
TEST(Parse, CopiesOfWhatIsComparedDoNotMultiply) {
  std::string nested = "a";
  for (int i = 0; i < 30; ++i) nested = "(" + nested + " BETWEEN SYMMETRIC b AND c)";
  EXPECT_FALSE(Parse("SELECT " + nested + " FROM t").ok());
  std::string scalar = "a";
  for (int i = 0; i < 10; ++i) scalar = "(SELECT " + scalar + " < ANY (ARRAY[b, c]) FROM t)";
  EXPECT_FALSE(Parse("SELECT " + scalar + " FROM t").ok());
  std::string rows = "(1, 2)";
  for (int i = 0; i < 190; ++i) rows += ", (1, 2)";
  EXPECT_TRUE(Parse("SELECT (a, b) IN (" + rows + ") FROM t").ok());
  EXPECT_FALSE(Parse("SELECT (a + 1, b + 2) IN (" + rows + ") FROM t").ok());
}

TEST(Parse, WritesLevelsOfGroupsOut) {
  const auto levels = [](const std::string& group_by) {
    const std::string printed = RoundTrip("SELECT 1 FROM t GROUP BY " + group_by);
    return printed.substr(std::string("SELECT 1 FROM t ").size());
  };
  EXPECT_EQ(levels("ROLLUP (a, b)"), "GROUP BY GROUPING SETS ((a, b), (a), ())");
  EXPECT_EQ(levels("ROLLUP (a, (b, c))"), "GROUP BY GROUPING SETS ((a, b, c), (a), ())");
  EXPECT_EQ(levels("CUBE (a, b)"), "GROUP BY GROUPING SETS ((a, b), (a), (b), ())");
  EXPECT_EQ(levels("a, ROLLUP (b)"), "GROUP BY GROUPING SETS ((a, b), (a))");
  EXPECT_EQ(levels("GROUPING SETS (a, ROLLUP (b), (a))"),
            "GROUP BY GROUPING SETS ((a), (b), (), (a))");
  EXPECT_EQ(levels("DISTINCT ROLLUP (a), ROLLUP (a)"), "GROUP BY GROUPING SETS ((a), ())");
  EXPECT_EQ(levels("GROUPING SETS ((a, b))"), "GROUP BY a, b") << "one level is none";
  EXPECT_EQ(levels("()"), "HAVING true");
  EXPECT_FALSE(Parse("SELECT 1 FROM t GROUP BY CUBE (a, b, c, d, e, f, g)").ok());
  EXPECT_FALSE(Parse("SELECT 1 FROM t GROUP BY GROUPING SETS ((), ())").ok());
}

TEST(Parse, NamesWhatItRefusesAndWhere) {
  struct Case {
    std::string text;
    std::string message;
    std::optional<int> position;
  };
  const std::vector<Case> cases = {
      {"DELETE FROM t", "DELETE is not supported", 0},
      {"SELECT 1; SELECT 2", "more than one statement at once is not supported", 9},
      {"WITH RECURSIVE r AS (SELECT 1 FROM r) SELECT * FROM r",
       "\"r\" names itself, and is no UNION of a beginning and a step", 15},
      {"SELECT count(*) FROM t TABLESAMPLE system (10)", "TABLESAMPLE is not supported", 35},
      {"SELECT now() < current_time", "the time of day is not supported", 15},
      {"SELECT count(*) FROM t WHERE x.t.a = 1", "there is no schema \"x\"", 29},
      {"SELECT 'a' @@ 'b'", "the operator @@ is not supported", 11},
      {"SELECT (a, b) < (1, 2) FROM t",
       "a row value such as (a, b) with this operator is not supported", 14},
      {"SELECT (a, b) = (1, 2, 3) FROM t", "what is compared with a row is a row of as many values",
       14},
      {"SELECT (a, b) IN (SELECT 1, 2) FROM t", "a row value such as (a, b) is not supported", 14},
      {"SELECT a < ANY ($1) FROM t", "one value as the list of < ANY is not supported", 9},
      {"SELECT a COLLATE \"de_DE\" FROM t",
       "COLLATE with another order than \"C\" is not supported", 9},
      {"SELECT a::timestamp(3) FROM t", "a time of fewer than six decimals is not supported", 10},
      {"SELECT make_interval(fortnights => 1)",
       "make_interval takes years, months, weeks, days, hours, mins and secs", 7},
      {"SELECT 1 FROM pg_ls_dir('x')",
       "a function in FROM, but generate_series and unnest of literals, is not supported",
       std::nullopt},
      {"SELECT 1 FROM t FOR UPDATE", "FOR UPDATE or FOR SHARE is not supported", std::nullopt},
      {"EXPLAIN ANALYZE SELECT 1", "EXPLAIN with the option analyze is not supported", 8},
      {"SELECT row_number() FROM t", "the window function row_number needs an OVER clause", 7},
      {"SELECT f(DISTINCT x) FROM t", "the aggregate or window function f is not supported", 7},
      {"SELECT DATE '2020-02-30'", "'2020-02-30' is not a date", 12},
      {"SELECT $9223399036854775807", "parameters are numbered $1 to $1000", 7},
      {"SELECT x::json FROM t", "the type json is not supported", 10},
      {"", "the query is empty", std::nullopt},
      {"SELEC 1", "syntax error at or near \"SELEC\"", 0},
      {"SELECT 'ö' FROM", "syntax error at end of input", 16},
  };
  for (const Case& c : cases) {
    const Result<Statement> parsed = Parse(c.text);
    ASSERT_FALSE(parsed.ok()) << c.text;
    EXPECT_EQ(parsed.error().public_message, c.message) << c.text;
    EXPECT_EQ(parsed.error().position, c.position) << c.text;
  }
}

// Each part is within the calendar; together they led out of it, and the engine raised for the rows
// that got so far.
TEST(Parse, LimitsTheSumOfAnIntervalsParts) {
  EXPECT_TRUE(Parse("SELECT INTERVAL '200000 years', INTERVAL '-74400000 days'").ok());
  EXPECT_FALSE(Parse("SELECT INTERVAL '200000 years 74400000 days'").ok());
  EXPECT_FALSE(Parse("SELECT INTERVAL '-200000 years -1 day'").ok());
}

TEST(Parse, SurvivesHostileBytes) {
  EXPECT_EQ(Parse(std::string("SELECT 1\0; DROP", 15)).error().public_message,
            "the query contains a zero byte");
  EXPECT_EQ(Parse("SELECT '\xff'").error().public_message, "the query is not valid UTF-8");
  EXPECT_EQ(Parse("SELECT '\xed\xa0\x80'").error().code, ErrorCode::kInvalidQuery);
  EXPECT_EQ(Parse(std::string(kQueryBytesMax + 1, ' ')).error().code, ErrorCode::kUnsupported);
}

TEST(Parse, SurvivesEveryKindOfDeepNesting) {
  for (const std::string piece : {"1+", "- ", "NOT ", "(", "f(", "(SELECT ", "CASE WHEN ", "1 IN (",
                                  "CAST(", "a||", "SELECT 1 UNION "}) {
    for (const size_t bytes : {size_t{400}, size_t{5000}, kQueryBytesMax - 100}) {
      std::string text = "SELECT ";
      while (text.size() + piece.size() < bytes) text += piece;
      text += "1";
      for (const std::string& whole : {text, text + std::string(text.size() / 8, ')')}) {
        const Result<Statement> parsed = Parse(whole);
        EXPECT_TRUE(parsed.ok() || !parsed.error().public_message.empty());
      }
    }
  }
  std::string list = "SELECT a IN (1";
  for (int i = 0; i < 10'000; ++i) list += ",1";
  EXPECT_TRUE(Parse(list + ") FROM t").ok()) << "a long list is not a deep one";
}

TEST(Parse, RefusesLongChainsBeforeTimeIsSpentOnThem) {
  for (const std::string piece : {"1+", "1 * ", "- ", "NOT ", "1::", "1 IS NULL IS ", "1||"}) {
    std::string text = "SELECT ";
    while (text.size() + piece.size() < kQueryBytesMax - 100) text += piece;
    const Result<Statement> parsed = Parse(text + "1");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code, ErrorCode::kUnsupported) << piece;
    EXPECT_TRUE(parsed.error().public_message.starts_with("a chain of more than 2500 operators"))
        << parsed.error().public_message;
    EXPECT_TRUE(parsed.error().position.has_value());
  }
  std::string conditions = "SELECT count(*) FROM t WHERE a = '+++' || \"x-y\"";
  for (int i = 0; i < 3000; ++i) conditions += " AND a + b < c";
  EXPECT_TRUE(Parse(conditions).ok()) << "a long list of conditions is no chain";
}

TEST(Parse, ReadsArraysOfPercentilesAsTheirElements) {
  const Result<Statement> array =
      Parse("SELECT (percentile_cont(ARRAY[0.25, 0.5]) WITHIN GROUP (ORDER BY a))[2] AS p FROM t");
  const Result<Statement> element =
      Parse("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) AS p FROM t");
  ASSERT_TRUE(array.ok()) << array.error().public_message;
  ASSERT_TRUE(element.ok());
  EXPECT_EQ(*array, *element);
  EXPECT_FALSE(Parse("SELECT (a)[1] FROM t").ok());
  EXPECT_FALSE(Parse("SELECT ARRAY[1, 2] FROM t").ok());
  EXPECT_FALSE(Parse("SELECT tacit_array(1)").ok());
}

TEST(Parse, KeepsTheNameOfAWindow) {
  EXPECT_EQ(RoundTrip("SELECT sum(a) OVER w, sum(a) OVER (w ORDER BY b) FROM t "
                      "WINDOW w AS (PARTITION BY c)"),
            "SELECT sum(a) OVER w, sum(a) OVER (w ORDER BY b) FROM t WINDOW w AS (PARTITION BY c)");
}

TEST(Parse, KeepsPositionsOfTheText) {
  const Result<Statement> parsed = Parse("SELECT 'ö', sum(income) FROM people");
  const auto* select = As<Select>(parsed->query);
  EXPECT_EQ(select->items[1].expression->position.offset, 13);
  EXPECT_EQ(select->from[0]->position.offset, 30);
}

TEST(Fingerprint, IgnoresCaseSpacingAndOrderOfConjuncts) {
  const auto fingerprint = [](const std::string& text) {
    return FingerprintText(Parse(text)->query);
  };
  EXPECT_EQ(fingerprint("SELECT count(*) FROM people WHERE age > 20 AND sex = 'F'"),
            fingerprint("select  COUNT( * ) from People where 'F' = sex and (20 < age)"));
  EXPECT_EQ(fingerprint("SELECT 1 FROM t WHERE a IN (2, 1, 2) AND NOT NOT b"),
            fingerprint("SELECT 1 FROM t WHERE b AND a IN (1, 2)"));
  EXPECT_NE(fingerprint("SELECT count(*) FROM people WHERE age > 20"),
            fingerprint("SELECT count(*) FROM people WHERE age >= 20"));
  EXPECT_NE(fingerprint("SELECT count(*) FROM people WHERE a = 'x'"),
            fingerprint("SELECT count(*) FROM people WHERE a = 'X'"));
}

TEST(Walk, SplitsResolvesAndRewrites) {
  const Query query =
      Parse("SELECT a + 1 AS k, sum(b) FROM t WHERE x AND (y AND z) GROUP BY k, 1")->query;
  const auto* select = As<Select>(query);
  EXPECT_EQ(SplitConjuncts(select->where).size(), 3u);
  const auto keys = ResolveGroupBy(*select, {[](const std::string&) { return false; }});
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ((*keys)[0], (*keys)[1]);
  EXPECT_EQ(PrintCanonical((*keys)[0]), "a + 1");
  const auto shadowed =
      ResolveGroupBy(*select, {[](const std::string& name) { return name == "k"; }});
  EXPECT_EQ(PrintCanonical((*shadowed)[0]), "k");
  const Expression renamed = Transform((*keys)[0], [](const Expression& node) {
    return As<ColumnReference>(node) ? MakeExpression(ColumnReference{"t", "c"}) : node;
  });
  EXPECT_EQ(PrintCanonical(renamed), "t.c + 1");
  EXPECT_TRUE(HasAggregate(select->items[1].expression));
  EXPECT_EQ(ColumnsIn(select->where).size(), 3u);
  EXPECT_EQ(HashOf(Parse("SELECT a  +1")->query->body.index() == 0
                       ? As<Select>(Parse("SELECT a  +1")->query)->items[0].expression
                       : Expression()),
            HashOf((*keys)[0]));
}

}  // namespace
}  // namespace tacit::sql
