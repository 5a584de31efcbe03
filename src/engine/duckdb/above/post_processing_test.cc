#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/duckdb/above/post_processing_pool.h"
#include "engine/duckdb/above/result_room.h"

namespace tacit::engine::duckdb {
namespace {

using ::testing::HasSubstr;

// What the gateway does, in one call: the tables, then one SELECT.
struct NamedTable {
  std::string name;
  ResultTable table;
};
Result<ResultTable> RunPostProcessing(const std::vector<NamedTable>& tables, const std::string& sql,
                                      const Limits& limits = kPostProcessingLimits) {
  TACIT_TRY(PostProcessing database, PostProcessing::Open(limits));
  std::vector<TableShape> shapes;
  for (const NamedTable& named : tables) shapes.push_back({named.name, named.table.columns});
  database.Arrange(shapes);
  for (const NamedTable& named : tables) {
    database.Fill(named.name, named.table.rows);
  }
  return database.Run(sql);
}

NamedTable Release() {
  ResultTable table;
  table.columns = {{"region", kTextType},  {"n", kBigintType}, {"total", NumericType(38, 2)},
                   {"share", kDoubleType}, {"day", kDateType}, {"ok", kBooleanType}};
  table.rows = {{Value(std::string("north")), Value(int64_t{12}), Value(Numeric{-150, 2}),
                 Value(0.5), Value(Date{0}), Value(true)},
                {Value(std::string("south")), Value(), Value(), Value(), Value(), Value()}};
  return NamedTable{"r 1", table};
}

TEST(PostProcessing, RunsASelectOverReleasedTables) {
  const Result<ResultTable> result = RunPostProcessing(
      {Release()},
      "SELECT region, n * 2 AS twice, total, share, day, ok, row_number() OVER (ORDER BY n) AS r "
      "FROM \"r 1\" ORDER BY region");
  ASSERT_TRUE(result.ok()) << result.error().private_detail;
  ASSERT_EQ(result->rows.size(), 2u);
  EXPECT_EQ(result->columns[1].name, "twice");
  EXPECT_EQ(PostgresName(result->columns[1].type), "bigint");
  EXPECT_EQ(ToText(result->rows[0][1]), "24");
  EXPECT_EQ(ToText(result->rows[0][2]), "-1.50");
  EXPECT_EQ(ToText(result->rows[0][4]), "1970-01-01");
  EXPECT_TRUE(IsNull(result->rows[1][1]));
}

// A plan may be made before its tables have rows, or with them: the order of what it gives is the
// same. DuckDB chooses sides and order of joins by the number of rows.
TEST(PostProcessing, TheOrderOfRowsIsNotThePlans) {
  const auto numbers = [](const std::string& name, int64_t count) {
    NamedTable named{name, {}};
    named.table.columns = {{"n", kBigintType}};
    for (int64_t i = 0; i < count; ++i) named.table.rows.push_back({Value((i * 7) % count)});
    return named;
  };
  const std::vector<NamedTable> tables = {numbers("a", 5), numbers("b", 100), numbers("c", 23)};
  const std::vector<std::string> queries = {
      "SELECT a.n, b.n FROM a LEFT JOIN b ON b.n % 5 = a.n",
      "SELECT a.n, b.n, c.n FROM a JOIN b ON b.n % 5 = a.n JOIN c ON c.n = b.n % 23",
      "SELECT a.n, b.n, c.n FROM a, b, c WHERE c.n = b.n AND a.n = c.n",
      "SELECT a.n, b.n FROM b RIGHT JOIN a ON b.n % 5 = a.n",
      "SELECT a.n, b.n FROM a FULL JOIN b ON b.n = a.n",
      "SELECT a.n FROM a WHERE n IN (SELECT n FROM b)"};
  for (const std::string& sql : queries) {
    const ResultTable with_rows = RunPostProcessing(tables, sql).value();
    PostProcessing database = PostProcessing::Open(kPostProcessingLimits).value();
    std::vector<TableShape> shapes;
    for (const NamedTable& named : tables) shapes.push_back({named.name, named.table.columns});
    database.Arrange(shapes);
    ASSERT_TRUE(database.Run(sql).ok());  // kept, of empty tables
    for (const NamedTable& named : tables) database.Fill(named.name, named.table.rows);
    EXPECT_EQ(database.Run(sql)->rows, with_rows.rows) << sql;
  }
}

TEST(PostProcessing, HoldsNothingButItsTablesAndRunsNothingButASelect) {
  for (const char* sql :
       {"SELECT * FROM other", "DROP TABLE \"r 1\"", "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT 1; SELECT 2", "COPY \"r 1\" TO '/tmp/tacit_leak.csv'", "EXPLAIN SELECT 1", ""}) {
    const Result<ResultTable> result = RunPostProcessing({Release()}, sql);
    ASSERT_FALSE(result.ok()) << sql;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidQuery) << sql;
  }
}

TEST(PostProcessing, EmptyCellsTakeMemoryToo) {
  ResultTable numbers{.columns = {{"n", kBigintType}}, .rows = {}};
  for (int64_t i = 0; i < 400; ++i) numbers.rows.push_back({Value(i)});
  std::string cells = "NULL";
  for (int i = 1; i < 50; ++i) cells += ", NULL";
  const std::string all = "SELECT " + cells + " FROM r a, r b";  // 160,000 rows
  // Under sanitizers to read so many takes longer than it may elsewhere.
  Limits limits = kPostProcessingLimits;
  limits.deadline = std::chrono::minutes(5);
  const Result<ResultTable> result = RunPostProcessing({{"r", numbers}}, all, limits);
  ASSERT_FALSE(result.ok()) << "a result of more than " << ResultRoom::kBytesMax << " bytes";
  EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(result.error().public_message, HasSubstr("needs more memory"));
  // What was read of it is given back.
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(RunPostProcessing({{"r", numbers}}, all + " LIMIT 10000").ok());
  }
}

TEST(ResultRoom, LongResultsAreBoundedTogetherAndSmallOnesAlwaysFit) {
  ResultRoom too_long;
  EXPECT_TRUE(too_long.Grow(ResultRoom::kBytesMax));
  EXPECT_FALSE(too_long.Grow(1));
  auto first = std::make_unique<ResultRoom>();
  ResultRoom second, small;
  EXPECT_TRUE(first->Grow(ResultRoom::kBytesMax / 2));
  EXPECT_TRUE(second.Grow(ResultRoom::kBytesMax));
  EXPECT_TRUE(small.Grow(ResultRoom::kSmallBytes));
  {
    ResultRoom late;
    EXPECT_FALSE(late.Grow(ResultRoom::kBytesMax));
  }
  first.reset();
  ResultRoom later;
  EXPECT_TRUE(later.Grow(ResultRoom::kBytesMax / 2)) << "there is room again";
}

TEST(PostProcessing, AWrongStatementIsFoundBeforeThereAreRows) {
  Result<PostProcessing> opened = PostProcessing::Open();
  ASSERT_TRUE(opened.ok());
  PostProcessing database = std::move(opened).value();
  database.Arrange({{"r", {{"n", kBigintType}}}});
  EXPECT_TRUE(database.Check("SELECT n / 0 FROM r").ok());
  EXPECT_FALSE(database.Check("SELECT m FROM r").ok());
  EXPECT_FALSE(database.Check("DELETE FROM r").ok());
}

TEST(PostProcessing, ANextAnswerFindsNothingOfTheOneBefore) {
  Result<PostProcessing> opened = PostProcessing::Open();
  ASSERT_TRUE(opened.ok());
  PostProcessing database = std::move(opened).value();
  const std::string count = "SELECT count(*) AS n FROM r WHERE n > 5";
  for (int64_t round = 0; round < 3; ++round) {
    database.Arrange({{"r", {{"n", kBigintType}}}});
    ASSERT_TRUE(database.Check(count).ok());
    database.Fill("r", {{Value(int64_t{1})}, {Value(6 + round)}});
    const Result<ResultTable> result = database.Run(count);
    ASSERT_TRUE(result.ok()) << result.error().private_detail;
    EXPECT_EQ(ToText(result->rows[0][0]), "1");
    database.Clear();
    EXPECT_EQ(ToText(database.Run(count)->rows[0][0]), "0");
  }
  database.Arrange({{"other", {{"n", kBigintType}}}});
  EXPECT_FALSE(database.Check(count).ok());
  EXPECT_FALSE(database.Run(count).ok());
}

// A column of each type that a released or public table can have.
ResultTable OneOfEach() {
  ResultTable table;
  std::vector<Value> values;
  const auto add = [&](const ValueType& type, Value value) {
    table.columns.push_back({"c" + std::to_string(table.columns.size()), type});
    values.push_back(std::move(value));
  };
  add(kBooleanType, true);
  add(kSmallintType, int64_t{-32768});
  add(kIntegerType, int64_t{2147483647});
  add(kBigintType, std::numeric_limits<int64_t>::min());
  add(NumericType(38, 0), Numeric{kInt128Max, 0});
  add(NumericType(4, 2), Numeric{-9999, 2});
  add(NumericType(9, 3), Numeric{123456789, 3});
  add(NumericType(18, 1), Numeric{-123456789012345678, 1});
  add(NumericType(38, 10), Numeric{static_cast<Int128>(1) << 100, 10});
  add(kRealType, 0.25);
  add(kDoubleType, 1e300);
  add(kTextType, std::string("short"));
  add(kTextType, std::string("longer than twelve bytes: \u00e9\u0000", 29));
  add({.kind = TypeKind::kUuid}, std::string("00000000-0000-0000-0000-000000000001"));
  add(kDateType, Date{-1});
  add({.kind = TypeKind::kTime}, Time{86'399'999'999});
  add(kTimestampType, Timestamp{1'700'000'000'000'001, false});
  add({.kind = TypeKind::kTimestampTz}, Timestamp{-1, true});
  add(kIntervalType, Interval{-1, 2, 3});
  table.rows = {values, std::vector<Value>(values.size())};
  return table;
}

TEST(PostProcessing, EveryValueComesBackAsItWentIn) {
  const ResultTable table = OneOfEach();
  const Result<ResultTable> result = RunPostProcessing({{"r", table}}, "SELECT * FROM r");
  ASSERT_TRUE(result.ok()) << result.error().private_detail;
  EXPECT_EQ(result->rows, table.rows);
  for (size_t i = 0; i < table.columns.size(); ++i) {
    EXPECT_EQ(result->columns[i].name, table.columns[i].name);
    if (table.columns[i].type.kind == TypeKind::kUuid) continue;  // a text
    EXPECT_EQ(result->columns[i].type, table.columns[i].type) << i;
  }
}

TEST(PostProcessing, AValueThatItsColumnCannotHoldFailsTheStatement) {
  const std::pair<ValueType, Value> wrong[] = {{kIntegerType, Value(int64_t{2147483648})},
                                               {kBigintType, Value(0.5)},
                                               {kBigintType, Value(Numeric{5, 1})},
                                               {kDoubleType, Value(int64_t{1})},
                                               {kTextType, Value(Date{0})},
                                               {kDateType, Value(std::string("1970-01-01"))},
                                               {kTimestampType, Value(Timestamp{0, true})}};
  for (const auto& [type, value] : wrong) {
    const ResultTable table{.columns = {{"c", type}}, .rows = {{value}}};
    EXPECT_FALSE(RunPostProcessing({{"r", table}}, "SELECT * FROM r").ok()) << PostgresName(type);
  }
}

TEST(PostProcessing, APlanThatIsKeptReadsTheRowsOfEachAnswer) {
  PostProcessing database = PostProcessing::Open().value();
  const std::string sql =
      "SELECT a.n, sum(b.n) FROM r AS a JOIN r AS b ON b.n <= a.n GROUP BY a.n ORDER BY a.n DESC "
      "LIMIT 2";
  // Large answers between small ones: their statements are planned anew.
  for (const int64_t size : {0, 1, 3, 5000, 2, 2048, 2049, 7}) {
    database.Arrange({{"r", {{"n", kBigintType}}}});
    ASSERT_TRUE(database.Check(sql).ok());
    PackedRows rows;
    for (int64_t i = 1; i <= size; ++i) rows.push_back({Value(i)});
    database.Fill("r", std::move(rows));
    const Result<ResultTable> result = database.Run(sql);
    ASSERT_TRUE(result.ok()) << result.error().private_detail;
    ASSERT_EQ(result->rows.size(), static_cast<size_t>(std::min<int64_t>(size, 2)));
    if (size == 0) continue;
    EXPECT_EQ(ToText(result->rows[0][0]), std::to_string(size));
    EXPECT_EQ(ToText(result->rows[0][1]), std::to_string(size * (size + 1) / 2));
  }
}

TEST(PostProcessing, WhatWasPlannedForOneAskerIsNotFoundByAnother) {
  PostProcessingPool pool(2);
  const std::vector<TableShape> tables = {{"r", {{"n", kBigintType}}}};
  const auto taken_by = [&](const std::string& asker) {
    PostProcessingPool::Lent lent = PostProcessingPool::Take(&pool, tables, asker).value();
    const bool found = lent->IsArranged(tables, asker);
    lent->Arrange(tables, asker);
    EXPECT_EQ(lent->PlansKept(), found ? 1u : 0u);
    EXPECT_TRUE(lent->Check("SELECT n FROM r").ok());
    return found;
  };
  EXPECT_FALSE(taken_by("ana"));
  EXPECT_TRUE(taken_by("ana"));
  EXPECT_FALSE(taken_by("bob"));  // the same instance, without her plans
  EXPECT_TRUE(taken_by("bob"));
  EXPECT_FALSE(taken_by("ana"));
}

TEST(PostProcessing, AnInstanceWhoseStatementFailedIsNotUsedAgain) {
  PostProcessingPool pool(2);
  const auto run = [&](const char* sql) {
    PostProcessingPool::Lent lent = PostProcessingPool::Take(&pool).value();
    lent->Arrange({{"r", {{"n", kBigintType}}}});
    lent->Fill("r", {{Value(int64_t{1})}});
    return lent->Run(sql).ok();
  };
  EXPECT_TRUE(run("SELECT n FROM r"));
  EXPECT_TRUE(PostProcessingPool::HasSpare(&pool));
  EXPECT_FALSE(run("SELECT (n || 'x')::BIGINT FROM r"));
  EXPECT_FALSE(PostProcessingPool::HasSpare(&pool));
}

TEST(PostProcessing, TooLongAndTooLargeHaveFixedTexts) {
  Limits limits = kPostProcessingLimits;
  limits.deadline = std::chrono::milliseconds(50);
  const Result<ResultTable> slow = RunPostProcessing(
      {}, "SELECT count(*) FROM range(100000000) a(i), range(100000) b(j) WHERE hash(i, j) = 1",
      limits);
  ASSERT_FALSE(slow.ok());
  EXPECT_EQ(slow.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(slow.error().public_message, ::testing::HasSubstr("time limit"));

  limits = kPostProcessingLimits;
  limits.deadline = std::chrono::minutes(5);  // sanitizers take theirs
  limits.memory_bytes = 32 << 20;
  const Result<ResultTable> large = RunPostProcessing(
      {},
      "SELECT count(*) FROM (SELECT i::VARCHAR FROM range(5000000) t(i) ORDER BY hash(i) LIMIT "
      "4000000)",
      limits);
  ASSERT_FALSE(large.ok());
  EXPECT_THAT(large.error().public_message, ::testing::HasSubstr("memory"));

  limits.memory_bytes = kPostProcessingLimits.memory_bytes;
  const Result<ResultTable> long_answer =
      RunPostProcessing({}, "SELECT i FROM range(3000000) t(i)", limits);
  ASSERT_FALSE(long_answer.ok());
  EXPECT_THAT(long_answer.error().public_message, ::testing::HasSubstr("memory"));
}

TEST(PostProcessing, ErrorsOfReleasedValuesAreSaidByKind) {
  const auto message = [](const char* sql) {
    const Result<ResultTable> result = RunPostProcessing({Release()}, sql);
    return result.ok() ? std::string("(no error)") : result.error().public_message;
  };
  EXPECT_THAT(message("SELECT region::INTEGER FROM \"r 1\""), ::testing::HasSubstr("cast"));
  EXPECT_THAT(message("SELECT n + 9223372036854775807 FROM \"r 1\""),
              ::testing::HasSubstr("out of range"));
}

}  // namespace
}  // namespace tacit::engine::duckdb
