#include "engine/duckdb/database/constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/duckdb/database/asker_connection.h"
#include "engine/duckdb/engine.h"
#include "engine/duckdb/values/read_values.h"

namespace tacit::engine::duckdb {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> TakenFrom(const std::string& sql) {
  std::vector<std::string> texts;
  for (const Value& value : FormOf(sql).constants) texts.push_back(ToText(value));
  return texts;
}

TEST(StatementForm, TakesOutWhatIsComparedWith) {
  EXPECT_THAT(TakenFrom("WHERE (CAST(40 AS BIGINT) <> \"t1\".\"age\") AND (\"t1\".\"n\" >= 7)"),
              ElementsAre("40", "7"));
  EXPECT_THAT(TakenFrom("WHERE (CAST('-9223372036854775808' AS BIGINT) < \"a\")"),
              ElementsAre("-9223372036854775808"));
  EXPECT_THAT(TakenFrom("WHERE ('no''rth' = \"a\") OR ('north' = \"a\")"), ElementsAre("north"));
  EXPECT_THAT(TakenFrom("WHERE (DATE '2024-02-29' > \"a\") AND (CAST('0.5' AS DOUBLE) <= \"b\")"),
              ElementsAre("2024-02-29", "0.5"));
  EXPECT_EQ(FormOf("x WHERE (40 <> \"a\") AND (41 <> \"a\")").TextFor(7),
            "x WHERE (tacit_constant_integer('7.0') <> \"a\") AND "
            "(tacit_constant_integer('7.1') <> \"a\")");
}

TEST(StatementForm, LeavesEverythingElse) {
  for (const char* sql : {"SELECT 40 LIMIT 7",
                          "WHERE (\"a\" + 40 <> \"b\")",
                          "WHERE (\"a\" <> 40 + \"b\")",
                          "WHERE (\"(40 <> \" = \"a\")",
                          "WHERE (f('(40 <> a)') = \"a\")",
                          "WHERE (40.5 <> \"a\")",
                          "WHERE (99999999999 <> \"a\")",
                          "WHERE (CAST('9223372036854775808' AS BIGINT) <> \"a\")",
                          "WHERE (CAST('1e999' AS DOUBLE) <> \"a\")",
                          "WHERE (CAST('nan' AS DOUBLE) <> \"a\")",
                          "WHERE (CAST('1.5' AS DECIMAL(2,1)) <> \"a\")",
                          "WHERE (DATE '2023-02-29' <> \"a\")",
                          "WHERE (DATE '12024-01-01' <> \"a\")",
                          "WHERE (\"a\" IN (40, 41))",
                          "WHERE ('x",
                          "",
                          "WHERE (DATE 'infinity' <> \"a\")",
                          "WHERE (\"a\" BETWEEN 40 AND 41)",
                          "ON (1 = 1) WHERE ('x' <> 'y')",
                          "ON (CAST('1' AS BIGINT) = 1)"}) {
    EXPECT_THAT(TakenFrom(sql), IsEmpty()) << sql;
    EXPECT_EQ(FormOf(sql).TextFor(1), sql);
  }
}

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  ~SessionTest() override { std::filesystem::remove_all(folder_); }

  // People of these ages, and one of them at the end.
  AskerConnection Open(const std::string& name, int oldest, int people = 300) {
    std::filesystem::create_directories(folder_ / name);
    const std::string path = (folder_ / name / "data").string();  // plans name the file
    {
      const Result<Database> writable = Database::OpenForImport(path, {.threads = 1});
      Connection connection = writable->Connect().value();
      const auto failure = connection.Execute(
          "CREATE TABLE people AS SELECT CAST(i AS BIGINT) AS id, CAST(i % 60 AS INTEGER) AS age, "
          "CAST(i % 7 AS BIGINT) AS n, 'town ' || (i % 5) AS town, DATE '2024-01-01' + CAST(i % 9 "
          "AS INTEGER) AS day, i / 4 AS part, CAST(i % 3 AS SMALLINT) AS few, CAST(i AS "
          "DECIMAL(9,2)) AS pay FROM range(" +
          std::to_string(people) + ") t(i) UNION ALL SELECT 1000000, " + std::to_string(oldest) +
          ", NULL, NULL, NULL, NULL, NULL, NULL");
      EXPECT_FALSE(failure) << failure->text;
    }
    return AskerConnection::Open(Database::OpenReadOnly(path, {.threads = 1}).value()).value();
  }

  static std::string Answer(Connection& connection, const Connection::Statement& statement) {
    ResultTable table;
    const auto failure = connection.Query(statement, 1000, &table);
    if (failure) return failure->text;
    std::string text;
    for (const auto& row : table.rows) {
      for (const Value& value : row) text += (IsNull(value) ? "NULL" : ToText(value)) + ",";
      text += ";";
    }
    return text;
  }

  std::filesystem::path folder_;
};

TEST_F(SessionTest, AKeptPlanGivesWhatTheStatementGives) {
  AskerConnection asker = Open("data", 99);
  const std::vector<std::string> columns = {"age", "n", "id", "town", "day", "few", "pay", "part"};
  const auto constants_for = [](const std::string& column) -> std::vector<std::string> {
    if (column == "town") return {"'town 1'", "'town 4'", "''", "'town 1 of more than twelve'"};
    if (column == "day") return {"DATE '2024-01-03'", "DATE '1900-12-31'", "DATE '9999-12-31'"};
    std::vector<std::string> numbers = {"0",
                                        "3",
                                        "59",
                                        "2147483647",
                                        "CAST(3 AS BIGINT)",
                                        "CAST('-3' AS BIGINT)",
                                        "CAST('9223372036854775807' AS "
                                        "BIGINT)"};
    if (column != "pay") numbers.emplace_back("CAST('3' AS DOUBLE)");
    if (column == "part") numbers.emplace_back("CAST('2.25' AS DOUBLE)");
    return numbers;
  };
  std::set<std::string> texts;
  for (const std::string& column : columns) {
    for (const char* comparison : {" = ", " <> ", " < ", " > ", " <= ", " >= "}) {
      for (const std::string& constant : constants_for(column)) {
        for (const bool first : {true, false}) {
          const std::string sides = first ? constant + comparison + "\"" + column + "\""
                                          : "\"" + column + "\"" + comparison + constant;
          const std::string sql =
              "SELECT count(*), sum(\"id\") FROM \"people\" WHERE (" + sides + ")";
          const Connection::Statement kept = asker.StatementOf(sql, {});
          EXPECT_NE(kept.sql, sql);
          texts.insert(kept.sql);
          EXPECT_EQ(Answer(asker.connection(), kept), Answer(asker.connection(), {.sql = sql}))
              << sql;
        }
      }
    }
  }
  EXPECT_LT(texts.size(), 8u * 6 * 2 * 3 + 1);  // one for each type, not for each constant
}

// The engine makes no value of such a text; its plan is there already.
TEST_F(SessionTest, AConstantThatIsNoTextFailsItsStatementAlone) {
  AskerConnection asker = Open("data", 99);
  const auto statement = [&](const std::string& town) {
    return asker.StatementOf("SELECT count(*) FROM \"people\" WHERE (\"town\" = '" + town + "')",
                             {});
  };
  ResultTable table;
  EXPECT_FALSE(asker.connection().Query(statement("town 1"), 10, &table).has_value());
  EXPECT_TRUE(asker.connection().Query(statement("\xff"), 10, &table).has_value());
  EXPECT_FALSE(asker.connection().Query(statement("town 2"), 10, &table).has_value());
}

TEST_F(SessionTest, PlansOnceForConstantsAndApartForAskers) {
  AskerConnection ana = Open("ana", 99);
  AskerConnection bob =
      AskerConnection::Open(Database::OpenReadOnly((folder_ / "ana" / "data").string(), {}).value())
          .value();
  const auto asked = [](AskerConnection& asker, int age) {
    return asker.StatementOf(
        "SELECT count(*) FROM \"people\" WHERE (" + std::to_string(age) + " <> \"age\")", {});
  };
  const std::string first = asked(ana, 1).sql;
  EXPECT_EQ(asked(ana, 2).sql, first);
  EXPECT_TRUE(asked(ana, 2).keep_plan);
  EXPECT_NE(asked(bob, 1).sql, first);
  for (const int age : {3, 4, 5}) {
    EXPECT_EQ(Answer(ana.connection(), asked(ana, age)), "296,;");
    EXPECT_EQ(ana.connection().PlansKept(), 1u);
  }
  // Among many others it is forgotten, and planned again.
  for (int i = 0; i < 100; ++i) {
    const std::string sql = "SELECT count(*) AS c" + std::to_string(i) + " FROM \"people\"";
    EXPECT_EQ(Answer(ana.connection(), ana.StatementOf(sql, {})), "301,;");
  }
  EXPECT_EQ(Answer(ana.connection(), asked(ana, 99)), "300,;");
}

TEST_F(SessionTest, AreNotKeptForAnyNumberOfAskers) {
  Open("data", 99);
  DuckdbEngine engine((folder_ / "data" / "data").string(), {});
  size_t most = 0;
  for (int i = 0; i < 200; ++i) {
    engine.WorkFor("analyst" + std::to_string(i));
    EXPECT_TRUE(engine.ReadSchema().ok());
    most = std::max(most, engine.SessionsKept());
  }
  EXPECT_EQ(most, 64u);
}

// The share of a quantile has to be a constant when it is planned.
TEST_F(SessionTest, WhatCannotBePlannedInTheOtherFormIsRunAsItIs) {
  AskerConnection asker = Open("data", 99);
  const std::string sql =
      "SELECT quantile_disc(\"age\", CASE WHEN (1 < abs(2)) THEN 1.0 ELSE 0.0 END) FROM \"people\"";
  const Connection::Statement other = asker.StatementOf(sql, {});
  EXPECT_NE(other.sql, sql);
  EXPECT_TRUE(asker.connection().Run(other, nullptr, nullptr));
  std::string answer;
  std::vector<ResultColumn> columns;
  const auto failure = asker.Run(sql, {}, &columns, [&](duckdb_data_chunk chunk) {
    answer = ToText(ColumnReader(duckdb_data_chunk_get_vector(chunk, 0)).Read(0));
    return true;
  });
  EXPECT_FALSE(failure) << failure->text;
  EXPECT_EQ(answer, "99");
}

TEST_F(SessionTest, ALargeTableIsPlannedWithItsConstants) {
  AskerConnection asker = Open("data", 99, 130'000);
  const std::string sql = "SELECT count(*) FROM \"people\" WHERE (40 <> \"age\")";
  EXPECT_EQ(asker.StatementOf(sql, {}).sql, sql);
  EXPECT_FALSE(asker.StatementOf(sql, {}).keep_plan);
}

// One person moves what the engine knows of a column: whether a filter can match at all.
TEST_F(SessionTest, WhatIsDescribedBeforeAChargeIsTheSameForNeighbours) {
  AskerConnection one = Open("one", 99);
  AskerConnection other = Open("other", 59);
  const Connection::Statement plan{.sql = "EXPLAIN SELECT count(*) FROM people WHERE (90 < age)"};
  const auto described = [&](AskerConnection& asker) {
    Connection describes = asker.connection().WithoutOptimizer().value();
    return Answer(describes, plan);
  };
  EXPECT_THAT(described(one), ::testing::HasSubstr("FILTER"));
  EXPECT_EQ(described(one), described(other));
  // The optimizer sees her.
  EXPECT_NE(Answer(one.connection(), plan), Answer(other.connection(), plan));
}

TEST_F(SessionTest, DescribesColumnsAndFaults) {
  AskerConnection asker = Open("data", 99);
  for (const int age : {1, 2}) {
    std::vector<ResultColumn> columns;
    const std::string text = std::to_string(age);
    EXPECT_FALSE(asker.Describe("SELECT town, age FROM \"people\" WHERE (" + text + " <> \"age\")",
                                &columns));
    ASSERT_EQ(columns.size(), 2u);
    EXPECT_EQ(PostgresName(columns[1].type), "integer");
    EXPECT_TRUE(
        asker.Describe("SELECT a FROM \"people\" WHERE (" + text + " <> \"age\")", &columns));
    EXPECT_TRUE(asker.Describe("DELETE FROM \"people\"", &columns));
  }
}

}  // namespace
}  // namespace tacit::engine::duckdb
