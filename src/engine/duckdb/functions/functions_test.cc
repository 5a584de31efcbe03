#include <gtest/gtest.h>

#include "engine/duckdb/database/database.h"
#include "engine/duckdb/functions/looked_up/text_list.h"

namespace tacit::engine::duckdb {
namespace {

// The one value of a statement, as text.
std::string ValueOf(const std::string& sql) {
  const Database database = Database::OpenForImport(":memory:", {.threads = 1}).value();
  Connection connection = database.Connect().value();
  ResultTable table;
  const std::optional<Failure> failure = connection.Query({.sql = sql}, 1, &table);
  EXPECT_FALSE(failure) << failure->text;
  if (failure || table.rows.empty()) return "";
  return ToText(table.rows[0][0]);
}

// Numbers around every end and every half, and those that no arithmetic likes.
constexpr char kNumbers[] =
    "(SELECT x * y + z AS x FROM (SELECT unnest([0.0, -0.0, 0.5, -0.5, 1.5, 2.5, "
    "0.49999999999999994, 1e-300, 1e18, 1e300, 4503599627370497.5, 9007199254740993.0]) AS x), "
    "(SELECT unnest([1.0, -1.0, 10.0]) AS y), (SELECT unnest([0.0, 0.25, -100.0, 100.0]) AS z) "
    "UNION ALL SELECT unnest([CAST('NaN' AS DOUBLE), 'inf', '-inf', NULL]))";

TEST(OnGrid, ClampsAndRoundsAsTheEngineWouldStepByStep) {
  struct Grid {
    const char *low_end, *high_end, *steps, *low, *high;
  };
  for (const Grid& grid :
       {Grid{"-100", "100", "1", "-100", "100"}, Grid{"0", "1000", "100", "0", "100000"},
        Grid{"-0.5", "0.5", "3", "-1", "1"}, Grid{"-1/2", "10/3", "3/1000", "0", "1"},
        Grid{"-4e18", "4e18", "1", "-4000000000000000000", "4000000000000000000"}}) {
    const auto number = [](const char* text) {
      return "CAST(" + std::string(text) + " AS DOUBLE)";
    };
    const std::string low_end = number(grid.low_end);
    const std::string high_end = number(grid.high_end);
    const std::string steps = number(grid.steps);
    const std::string stepwise = "CASE WHEN x IS NULL THEN NULL WHEN x <= " + low_end + " THEN " +
                                 grid.low + " WHEN x >= " + high_end + " THEN " + grid.high +
                                 " ELSE least(greatest(CAST(round(x * " + steps + ") AS BIGINT), " +
                                 grid.low + "), " + grid.high + ") END";
    const std::string at_once = std::string("tacit_on_grid(x, '") + grid.low_end + " " +
                                grid.high_end + " " + grid.steps + " " + grid.low + " " +
                                grid.high + "')";
    EXPECT_EQ(ValueOf("SELECT count(*) FILTER (WHERE (" + stepwise + ") IS DISTINCT FROM " +
                      at_once + ") FROM " + kNumbers),
              "0")
        << grid.low_end;
  }
}

TEST(OnGrid, RefusesWhatIsNoGrid) {
  const Database database = Database::OpenForImport(":memory:", {.threads = 1}).value();
  Connection connection = database.Connect().value();
  for (const char* grid :
       {"''", "'0 1 1 0'", "'0 1 1 0 1 '", "'0 1 1 0 x'", "'0  1 1 0 1'", "'0 1 1 0.5 1'", "NULL",
        "'0 1 1 0 99999999999999999999'", "CAST(x AS VARCHAR)"}) {
    ResultTable table;
    const auto failure = connection.Query({.sql = "SELECT tacit_on_grid(CAST(x AS DOUBLE), " +
                                                  std::string(grid) + ") FROM range(3) r(x)"},
                                          10, &table);
    ASSERT_TRUE(failure) << grid;
    EXPECT_NE(failure->text.find("no grid"), std::string::npos) << failure->text;
  }
}

TEST(FromDecimal, IsWhatTheCastGives) {
  struct Decimals {
    const char *type, *unscaled, *step;
  };
  // Every width of the stored number, its ends, and numbers beyond what a double holds.
  for (const Decimals& decimals :
       {Decimals{"DECIMAL(4,2)", "i % 19999 - 9999", "CAST('0.01' AS DECIMAL(3,2))"},
        Decimals{"DECIMAL(9,0)", "i * 9999 - 999900000", "CAST('1' AS DECIMAL(1,0))"},
        Decimals{"DECIMAL(9,9)", "i * 9999 - 999900000", "CAST('0.000000001' AS DECIMAL(10,9))"},
        Decimals{"DECIMAL(15,2)", "i * 9007199254 - 900719925400000",
                 "CAST('0.01' AS DECIMAL(3,2))"},
        Decimals{"DECIMAL(18,3)", "i * 9999999999998 - 999999999999999000",
                 "CAST('0.001' AS DECIMAL(4,3))"}}) {
    const std::string type = decimals.type;
    const std::string rows = "(SELECT CASE WHEN i % 11 <> 3 THEN CAST(CAST(" +
                             std::string(decimals.unscaled) + " AS DECIMAL(18,0)) * " +
                             decimals.step + " AS " + type + ") END AS x FROM range(200001) r(i))";
    EXPECT_EQ(ValueOf("SELECT count(*) FILTER (WHERE tacit_from_decimal(x) IS DISTINCT FROM "
                      "CAST(x AS DOUBLE)) || ' of ' || count(x) || ' ' || any_value(typeof(x)) "
                      "FROM " +
                      rows),
              "0 of 181819 " + type);
  }
}

// People with one row and people with thousands, across every end of what threads share out. Their
// numbers are the places of their first rows.
TEST(People, AreAsManyAsDistinctNumbersWhateverPassesTheFilter) {
  const Database database = Database::OpenForImport(":memory:", {.threads = 4}).value();
  Connection connection = database.Connect().value();
  ASSERT_FALSE(connection.Execute(
      "CREATE TABLE t AS SELECT min(i) OVER (PARTITION BY CASE WHEN i < 120000 THEN i // 3 WHEN i "
      "< 200000 THEN 100000 + (i - 120000) // 20000 ELSE 200000 + i // 7 END) + 1 AS n, hash(i) % "
      "5 AS k, hash(i, 1) % 1000 AS x FROM range(400000) r(i) ORDER BY i"));
  for (const char* filter :
       {"true", "x < 500", "x < 20", "x = 7", "n % 1000 = 0", "x > 2000",
        "n BETWEEN 100000 AND 180001", "x < 30 OR n > 280000", "n % 2 = 1", "n % 7 < 5"}) {
    for (const char* from :
         {"t", "(SELECT * FROM t ORDER BY x) AS t", "(SELECT * FROM t ORDER BY n DESC) AS t"}) {
      ResultTable table;
      const std::optional<Failure> failure = connection.Query(
          {.sql =
               "SELECT k, tacit_people(n) = count(DISTINCT n), tacit_people(n) FILTER (WHERE x "
               "% 3 = 0) = count(DISTINCT n) FILTER (WHERE x % 3 = 0) FROM " +
               std::string(from) + " WHERE " + filter +
               " GROUP BY k UNION ALL SELECT 9, tacit_people(n) = count(DISTINCT n), true FROM " +
               from + " WHERE " + filter},
          100, &table);
      ASSERT_FALSE(failure) << failure->text;
      for (const std::vector<Value>& row : table.rows) {
        EXPECT_EQ(row[1], Value(true)) << from << " " << filter;
        EXPECT_EQ(row[2], Value(true)) << from << " " << filter;
      }
    }
  }
}

TEST(People, AreCountedForKeysThatAreAllTheSame) {
  const Database database = Database::OpenForImport(":memory:", {.threads = 2}).value();
  Connection connection = database.Connect().value();
  ASSERT_FALSE(
      connection.Execute("CREATE TABLE t AS SELECT i - i % 3 + 1 AS n, 7 AS same, i % 5 AS x FROM "
                         "range(300000) r(i)"));
  for (const char* key : {"same", "same, x < 9", "'a' || 'b'"}) {
    ResultTable table;
    const std::optional<Failure> failure = connection.Query(
        {.sql = "SELECT tacit_people(n) = 100000, tacit_people(n) FILTER (WHERE x = 0) = "
                "count(DISTINCT n) FILTER (WHERE x = 0), count(*) = 300000 FROM t GROUP BY " +
                std::string(key)},
        10, &table);
    ASSERT_FALSE(failure) << failure->text;
    for (const Value& holds : table.rows[0]) EXPECT_EQ(holds, Value(true)) << key;
  }
}

// Numbers of 40 people, three to sixty each, as they are, turned round, or in two joined halves.
std::string NumbersIn(const std::string& order) {
  return "(SELECT i % 40 AS u, i AS i, CASE WHEN i % 11 <> 0 THEN ((i * 7919) % 1000) / "
         "1000.0::DOUBLE "
         "* pow(10, i % 7) END AS x FROM range(1200) r(i) WHERE i % 40 < 20 OR i < 120 ORDER BY " +
         order + ")";
}

// Of every person's, and of windows over growing, sliding and whole frames: all values in one text.
std::string Aggregated(const std::string& prefix, const std::string& rows) {
  std::string text =
      "SELECT md5(string_agg(v, ',' ORDER BY u, i, v)) FROM (SELECT 0 AS u, 0 AS i, "
      "'' AS v";
  for (const char* name : {"sum", "avg", "var_pop", "var_samp", "stddev_pop", "stddev_samp"}) {
    const std::string call = prefix + name + "(x)";
    for (const char* tail : {"", " FILTER (WHERE i % 3 <> 0)"}) {
      text += " UNION ALL SELECT u, -1, CAST(" + call + tail + " AS VARCHAR) FROM " + rows +
              " GROUP BY u";
    }
    for (const char* frame :
         {"ORDER BY i", "ORDER BY i ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING",
          "ROWS BETWEEN UNBOUNDED PRECEDING AND 4611686018427387904 FOLLOWING"}) {
      text += " UNION ALL SELECT u, i, CAST(" + call + " OVER (PARTITION BY u " + frame +
              ") AS VARCHAR) FROM " + rows;
    }
  }
  return text + ")";
}

TEST(ExactAggregates, AreTheSameInEveryOrder) {
  const std::string first = ValueOf(Aggregated("tacit_", NumbersIn("i")));
  EXPECT_EQ(first.size(), 32u);
  EXPECT_EQ(ValueOf(Aggregated("tacit_", NumbersIn("i DESC"))), first);
  EXPECT_EQ(ValueOf(Aggregated("tacit_", NumbersIn("hash(i)"))), first);
  // The engine's own are not.
  EXPECT_NE(ValueOf(Aggregated("", NumbersIn("i DESC"))), ValueOf(Aggregated("", NumbersIn("i"))));
}

TEST(ExactAggregates, AreTheEnginesButForTheLastDigits) {
  for (const char* name : {"sum", "avg", "var_pop", "var_samp", "stddev_pop", "stddev_samp"}) {
    const std::string own = std::string("tacit_") + name;
    EXPECT_EQ(
        ValueOf("SELECT count(*) FROM (SELECT u, " + own + "(x) a, " + name + "(x) b, " + own +
                "(DISTINCT round(x)) c, " + name + "(DISTINCT round(x)) d FROM " + NumbersIn("i") +
                " GROUP BY u) WHERE NOT (abs(a - b) <= 1e-12 * b AND "
                "abs(c - d) <= 1e-12 * d)"),
        "0")
        << name;
    // Nothing, one number, one NULL, beyond.
    EXPECT_EQ(ValueOf("SELECT CAST(" + own + "(1e300) AS VARCHAR) || '' IS NULL"), "t") << name;
    EXPECT_EQ(ValueOf("SELECT (" + own + "(x) IS NULL) = (" + name +
                      "(x) IS NULL) FROM (SELECT "
                      "1.5::DOUBLE x)"),
              "t")
        << name;
    EXPECT_EQ(ValueOf("SELECT " + own + "(x) IS NULL FROM (SELECT NULL::DOUBLE x)"), "t");
    EXPECT_EQ(ValueOf("SELECT " + own + "(x) IS NULL FROM (SELECT 1.0::DOUBLE x) WHERE x > 2"),
              "t");
  }
}

// DuckDB hands whole partitions over in a way that would read beyond a state: printed windows never
// ask for one, and the engine must not make one of what orders nothing.
TEST(ExactAggregates, NoOrderThatOrdersNothingIsAWholePartition) {
  for (const char* order : {"'a'", "1 + 1", "u", "u, u", "-u", "NULL", "CAST(NULL AS BIGINT), u",
                            "u + 0", "CASE WHEN TRUE THEN 1 END", "i - i"}) {
    for (const char* frame : {"", " RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
                              " RANGE BETWEEN CURRENT ROW AND CURRENT ROW",
                              " GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING"}) {
      const std::string over =
          " OVER (PARTITION BY u ORDER BY " + std::string(order) + frame + "), 12)";
      EXPECT_EQ(
          ValueOf("SELECT count(*) FROM (SELECT round(tacit_sum(x)" + over + " a, round(sum(x)" +
                  over + " b FROM " + NumbersIn("i") + ") WHERE abs(a - b) > 1e-9 * abs(b)"),
          "0")
          << over;
    }
  }
}

TEST(TextNumber, IsTheSameForEqualTextsInEveryThread) {
  const std::shared_ptr<TextList> list = TextList::Make();
  const Database database = Database::OpenForImport(":memory:", {.threads = 4}).value();
  Connection connection = database.Connect().value();
  // Short and long texts, in dictionaries and not, empty ones and NULLs.
  ASSERT_FALSE(connection.Execute(
      "CREATE TABLE t AS SELECT CASE WHEN i % 7 = 0 THEN NULL WHEN i % 7 = 1 THEN '' WHEN i % 7 = "
      "2 "
      "THEN 'a text of the street number ' || i ELSE 'x' || (i % 50) END AS x FROM range(400000) "
      "r(i)"));
  ResultTable table;
  const std::optional<Failure> failure = connection.Query(
      {.sql = "SELECT count(DISTINCT x) = count(DISTINCT n), count(DISTINCT (x, n)) = "
              "count(DISTINCT x) + 1, count(*) FILTER (WHERE (x IS NULL) <> (n IS NULL)), "
              "max(n) + 1 = count(DISTINCT x) FROM (SELECT x, tacit_text_number(x, CAST($1 AS "
              "BIGINT)) AS n FROM t)",
       .parameters = {Value(list->name())}},
      1, &table);
  ASSERT_FALSE(failure) << failure->text;
  EXPECT_EQ(table.rows[0], (std::vector<Value>{true, true, int64_t{0}, true}));
  ResultTable one;
  // A column of an enumerated type holds texts too.
  ASSERT_FALSE(connection.Query({.sql = "SELECT tacit_text_number(CAST('x3' AS ENUM('x1', 'x3')), "
                                        "CAST($1 AS BIGINT))",
                                 .parameters = {Value(list->name())}},
                                1, &one));
  const Value cell = one.rows[0][0];
  const auto* number = std::get_if<int64_t>(&cell);
  ASSERT_NE(number, nullptr);
  EXPECT_EQ(list->TextOf(static_cast<uint32_t>(*number)), "x3");
}

TEST(TextNumber, FailsWithoutItsList) {
  const int64_t name = TextList::Make()->name();
  const Database database = Database::OpenForImport(":memory:", {.threads = 1}).value();
  Connection connection = database.Connect().value();
  ResultTable table;
  EXPECT_TRUE(connection.Query(
      {.sql = "SELECT tacit_text_number(x, CAST($1 AS BIGINT)) FROM (VALUES ('a'), ('b')) t(x)",
       .parameters = {Value(name)}},
      2, &table));
}

TEST(RowHash, IsTheBeginningOfSha256OverUnambiguousBytes) {
  EXPECT_EQ(ValueOf("SELECT format('{:016x}', tacit_row_hash('k', 't', 'u', CAST(7 AS INTEGER), "
                    "CAST(NULL AS DATE), CAST(1 AS DOUBLE))) = left(sha256('\\x01\\x00\\x00\\x00"
                    "\\x01k\\x01\\x00\\x00\\x00\\x01t\\x01\\x00\\x00\\x00\\x01u\\x01\\x00\\x00\\x00"
                    "\\x07\\x00\\x01\\x3F\\xF0\\x00\\x00\\x00\\x00\\x00\\x00'::BLOB), 16)"),
            ValueOf("SELECT true"));
}

TEST(RowHash, TellsApartWhatConcatenationWouldNot) {
  EXPECT_EQ(
      ValueOf("SELECT count(DISTINCT h) FROM (SELECT unnest(["
              "tacit_row_hash('k', 't', 'ab', 'c'), tacit_row_hash('k', 't', 'a', 'bc'), "
              "tacit_row_hash('k', 'ta', 'b', 'c'), tacit_row_hash('kt', 'a', 'b', 'c'), "
              "tacit_row_hash('k', 't', 'abc', ''), tacit_row_hash('k', 't', 'abc', NULL), "
              "tacit_row_hash('k', 't', NULL, 'abc'), tacit_row_hash('k', 't', 'abc')]) AS h)"),
      "8");
}

TEST(RowHash, TakesEveryTypeThatHasARule) {
  EXPECT_EQ(ValueOf("SELECT count(DISTINCT tacit_row_hash('k', 't', i, CAST(i AS TINYINT), CAST(i "
                    "AS SMALLINT), CAST(i AS HUGEINT), CAST(i AS DECIMAL(4,1)), CAST(i AS "
                    "DECIMAL(30,1)), CAST(i AS FLOAT), i = 1, DATE '2020-01-01' + CAST(i AS "
                    "INTEGER), TIMESTAMP '2020-01-01 00:00:00', TIME '10:00:00', INTERVAL 1 DAY, "
                    "CAST('00112233-4455-6677-8899-aabbccddeeff' AS UUID), CAST('x' AS ENUM('x', "
                    "'y')), 'a text of more than twelve bytes')) FROM range(100) t(i)"),
            "100");
}

}  // namespace
}  // namespace tacit::engine::duckdb
